// Computes the largest step along which no tet inverts.
#pragma once

#include <span>

#include "sinew/core/types.h"
#include "sinew/model/system.h"

namespace sinew {

// Smallest root in (0, 1] of the cubic c0 + c1 t + c2 t^2 + c3 t^3, c0 > 0; infinity if there is no such root. Rounding
// makes the root smaller, never larger.
double first_cubic_root(double c0, double c1, double c2, double c3);

// The largest alpha in (0, 1] such that det F > 0 along x + alpha d (3 x n_all) for all tets whose material needs it.
// Returns 1, or 0.9 of the first root.
double inversion_step(const System& system, const Points& x, const Points& d);

}  // namespace sinew
