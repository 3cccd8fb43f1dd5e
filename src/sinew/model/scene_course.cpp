#include "sinew/model/scene_course.h"

#include <algorithm>

namespace sinew {

std::shared_ptr<const Course> scene_course(const System& system, std::size_t motion) {
  const auto obstacle = std::ranges::find(system.obstacle_motion, static_cast<Index>(motion));
  if (obstacle == system.obstacle_motion.end()) return nullptr;
  return system.setup.obstacles[static_cast<std::size_t>(obstacle - system.obstacle_motion.begin())].motion.course;
}

}  // namespace sinew
