// How far tets are strained: one number a tet, for colours.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// Equivalent Green strain of each tet, sqrt(2/3 dev E : dev E) with E = (F^T F - I) / 2, for vertices at x that rest at
// `rest`: blind to rotations and to a change of size alone; for small strains and constant volume the elongation of a
// rod. Defined for flat and inverted tets too.
std::vector<double> equivalent_strain(const Points& rest, const Points& x, const Tets& tets);

}  // namespace sinew
