// The forces of one contact on its vertices, for sensors.
#pragma once

#include <array>

#include "sinew/core/types.h"

namespace sinew {

struct ContactForce {
  std::array<Index, 4> v{-1, -1, -1, -1};  // vertices; -1 where the contact has fewer
  Index plane = -1;                        // the analytic plane that is touched; -1: none
  bool friction = false;                   // else the normal force
  std::array<Vec3, 4> force{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  // on each vertex [N]
};

}  // namespace sinew
