// Finds out whether recorded positions of a surface move as a rigid or affine body does, and how.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// Positions at frame k are rotation[k] diag(scale[k]) axes[k] (x - center) + translation[k], where x are those at frame
// 0. Neighbouring rotations and axes are near each other.
struct AffineTrack {
  Vec3 center;
  std::vector<Eigen::Quaterniond> rotation, axes;
  std::vector<Vec3> scale, translation;
  bool moves = false;
  bool rigid = true;  // scales are 1, axes are the identity
};

// The least-squares motion, if it gives all positions within the rounding of float32. A rigid one is preferred.
// `frame(k)` returns positions, 3 x n.
std::optional<AffineTrack> affine_track(std::size_t frames, const std::function<Eigen::Matrix3Xf(std::size_t)>& frame);

}  // namespace sinew
