// Finds the rigid motions that prescribed vertices leave to a substructure: about a line or a point, along a line or in
// a plane, at any angle (theory, section 9).
#pragma once

#include <optional>
#include <span>

#include "sinew/core/types.h"

namespace sinew {

struct PartFrame {
  MatX allowed;                // 6 x k, orthonormal: shifts of `center`, turns about it
  Vec3 center = Vec3::Zero();  // in the rest state [m]
};

// rest: 3 x n. fixed: 3 n flags of prescribed coordinates. middle: centre of mass. size: [m].
//
// Nothing if no rigid motion remains, or if the remaining motions do not form a group. A turn would then move
// prescribed coordinates, or rotate free axes of a vertex into prescribed ones.
std::optional<PartFrame> find_frame(const Points& rest, std::span<const char> fixed, const Vec3& middle, double size);

}  // namespace sinew
