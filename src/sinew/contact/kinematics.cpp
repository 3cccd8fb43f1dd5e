#include "sinew/contact/kinematics.h"

#include "sinew/contact/friction.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// Writes the positions of all obstacle vertices at a time into the columns of `x` from `first` on.
void place_obstacles_from(const System& system, double time, Index first, Points& x) {
  const Index n = system.body_vertex_count();
  parallel_for(system.obstacle_vertex_count(), [&](std::size_t i) {
    const Motion& motion = system.motions[system.obstacle_vertex_motion[i]];
    x.col(first + i) = motion.apply(system.rest.col(n + i), time, system.obstacle_vertex_to_own[i]);
  });
}

}  // namespace

void place_obstacles(const System& system, double time, Points& x) {
  place_obstacles_from(system, time, x.cols() - system.obstacle_vertex_count(), x);
}

void place_obstacle_vertices(const System& system, double time, Points& x) {
  x.resize(3, system.obstacle_vertex_count());
  place_obstacles_from(system, time, 0, x);
}

// Point, normal and one tangent of each plane, moved by its motion.
void planes_at(const System& system, double time, std::vector<PlaneState>& planes) {
  planes.clear();
  for (std::size_t p = 0; p < system.planes.size(); ++p) {
    const PlaneSetup& rest = system.planes[p];
    const Vec3 tangent = tangent_basis(rest.normal).col(0);
    const Index motion = system.plane_motion[p];
    if (system.motions[motion].empty()) {
      planes.push_back({rest.point, rest.normal, tangent});
    } else {
      const auto turned = [&](const Vec3& v) {
        return Vec3(system.motions[motion].rotate_vector(v, time).normalized());
      };
      planes.push_back({system.motions[motion].apply(rest.point, time), turned(rest.normal), turned(tangent)});
    }
  }
}

std::vector<PlaneState> planes_at(const System& system, double time) {
  std::vector<PlaneState> planes;
  planes_at(system, time, planes);
  return planes;
}

PlaneState interpolate(const PlaneState& from, const PlaneState& to, double part) {
  // A normal that is normalised anew may change its last bits; the plane would count as moving and E could grow.
  if (from.point == to.point && from.normal == to.normal && from.tangent == to.tangent) return from;
  return {from.point + part * (to.point - from.point), (from.normal + part * (to.normal - from.normal)).normalized(),
          (from.tangent + part * (to.tangent - from.tangent)).normalized()};
}

PlaneState reference_plane(const PlaneState& from, const PlaneState& to, double remaining) {
  return {remaining * from.point + (1 - remaining) * to.point,
          (remaining * from.normal + (1 - remaining) * to.normal).normalized(),
          (remaining * from.tangent + (1 - remaining) * to.tangent).normalized()};
}

}  // namespace sinew
