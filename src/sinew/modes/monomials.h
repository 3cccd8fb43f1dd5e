// Displacements that are linear and quadratic in position.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

inline constexpr Index monomial_count = 27;

// Returns x, y, z, xx, xy, xz, yy, yz, zz along each axis: 3 n x 27, interleaved. Positions are relative to the mean of
// X, in units of the largest distance from it.
MatX monomials(const Points& X);

}  // namespace sinew
