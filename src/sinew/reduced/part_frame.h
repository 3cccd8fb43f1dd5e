// Finds the rigid motions that prescribed vertices leave to a substructure (theory, section 9). They are rotations
// about a line or a point, and shifts along a line or in a plane, of any size.
#pragma once

#include <optional>
#include <span>

#include "sinew/core/types.h"

namespace sinew {

struct PartFrame {
  MatX allowed;                // 6 x k, orthonormal: shifts of `center`, rotations about it
  Vec3 center = Vec3::Zero();  // at rest [m]
};

// rest: rest positions, 3 x n [m]. fixed: 3 n flags of prescribed coordinates. middle: centre of mass [m]. size: of the
// substructure [m].
//
// Returns none if no rigid motion remains, or if the remaining motions do not form a group. In the latter case a
// rotation would move prescribed coordinates, or rotate free axes of a vertex into prescribed ones.
std::optional<PartFrame> find_frame(const Points& rest, std::span<const char> fixed, const Vec3& middle, double size);

}  // namespace sinew
