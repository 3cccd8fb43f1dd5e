// Finds out whether recorded positions of a surface move as a rigid body does, and how.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// Positions at frame k are rotation[k] (x - center) + translation[k], where x are those at frame 0. Signs of rotations
// are such that neighbours are near each other.
struct RigidTrack {
  Vec3 center;
  std::vector<Eigen::Quaterniond> rotation;
  std::vector<Vec3> translation;
  bool moves = false;
};

// The least-squares rotations (Kabsch 1976), if they give all positions within the rounding of float32. `frame(k)`
// returns positions, 3 x n.
std::optional<RigidTrack> rigid_track(std::size_t frames, const std::function<Eigen::Matrix3Xf(std::size_t)>& frame);

}  // namespace sinew
