#include "sinew/contact/kinematics.h"

#include "sinew/contact/friction.h"
#include "sinew/core/parallel.h"

namespace sinew {

void place_obstacles(const System& system, double time, Points& x) {
  const Index n = system.dynamic_count;
  parallel_for(system.vertex_count() - n, [&](std::size_t i) {
    const Index motion = system.obstacle_vertex_motion[i];
    x.col(n + i) =
        motion < 0 ? Vec3(system.rest.col(n + i)) : system.motions[motion].apply(system.rest.col(n + i), time);
  });
}

std::vector<PlaneState> planes_at(const System& system, double time) {
  std::vector<PlaneState> planes;
  for (std::size_t p = 0; p < system.planes.size(); ++p) {
    const PlaneSetup& rest = system.planes[p];
    const Vec3 tangent = tangent_basis(rest.normal).col(0);
    const Index motion = system.plane_motion[p];
    if (motion < 0) {
      planes.push_back({rest.point, rest.normal, tangent});
    } else {
      const auto turned = [&](const Vec3& v) {
        return Vec3(system.motions[motion].rotate_vector(v, time).normalized());
      };
      planes.push_back({system.motions[motion].apply(rest.point, time), turned(rest.normal), turned(tangent)});
    }
  }
  return planes;
}

}  // namespace sinew
