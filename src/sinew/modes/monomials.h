// Displacements that are linear and quadratic in the place.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

inline constexpr Index monomial_count = 27;

// Along each axis x, y, z, xx, xy, xz, yy, yz, zz of the place about the mean of X, over the largest distance from it:
// 3 n x 27, interleaved.
MatX monomials(const Points& X);

}  // namespace sinew
