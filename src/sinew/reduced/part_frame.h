// The frame of a substructure that is held so that it can still turn or slide rigidly: about a line, a point, along a
// line or in a plane, at any angle (theory, section 9).
#pragma once

#include <optional>
#include <span>

#include "sinew/core/types.h"

namespace sinew {

struct PartFrame {
  MatX allowed;                // 6 x k, orthonormal: shifts of `center`, turns about it
  Vec3 center = Vec3::Zero();  // in the rest state [m]
};

// Of a part at rest places X (3 x n) with the coordinates `fixed` (3 n flags), of mass about `middle` and of a size
// [m]. Nothing where no rigid motion is left or where those that are left are no group: turning by one would carry
// prescribed coordinates off their places, or turn what is free at them into what is not.
std::optional<PartFrame> find_frame(const Points& rest, std::span<const char> fixed, const Vec3& middle, double size);

}  // namespace sinew
