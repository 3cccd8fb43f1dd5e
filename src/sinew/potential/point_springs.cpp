#include "sinew/potential/point_springs.h"

namespace sinew {

// The extension u = x_i - mean of x_j of a spring is one point with weights 1 and -1/m: k/2 (|u - p| - l)^2.
PointSprings point_springs(const System& system, std::size_t begin, std::size_t end) {
  PointSprings result;
  for (std::size_t s = begin; s < end; ++s) {
    const Spring& spring = system.springs[s];
    PointRow& row = result.rows.emplace_back();
    row.emplace_back(spring.vertex, 1.0);
    for (std::size_t k = 0; k < spring.others.size(); ++k) row.emplace_back(spring.others[k], -spring.weight(k));
    PointSpring& point = result.springs.emplace_back();
    if (spring.others.empty()) {
      point.anchor << spring.point, 1;
      point.motion = spring.motion;
    }
    point.stiffness = spring.stiffness;
    point.length = spring.length;
    point.length_keys = spring.length_keys;
    point.until = spring.until;
  }
  return result;
}

// The same springs over points y instead of vertices: k/2 (|y_s - p| - l)^2 with one point for each spring. The anchor
// p moves with its motion by the share that the anchor's fourth number has.
std::vector<Spring> springs_of_points(const System& system, const std::vector<PointSpring>& springs) {
  std::vector<Spring> result;
  for (const PointSpring& point : springs) {
    Spring& spring = result.emplace_back();
    spring.vertex = static_cast<Index>(result.size()) - 1;
    spring.point = point.anchor.head<3>();
    // Without a motion the anchor stays where it is, whatever its weight.
    if (point.motion >= 0 && !system.motions[point.motion].empty()) {
      spring.motion = point.motion;
      spring.point_weight = point.anchor[3];
    }
    spring.stiffness = point.stiffness;
    spring.length = point.length;
    spring.length_keys = point.length_keys;
    spring.until = point.until;
  }
  return result;
}

}  // namespace sinew
