// Computes one measure of strain for each tet, for colours.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// Returns the equivalent Green strain of each tet for vertices at x with rest positions `rest`: sqrt(2/3 dev E : dev E)
// with E = (F^T F - I) / 2. It ignores rotations and pure changes of size. For small strains at constant volume it is
// the elongation of a rod. It is also defined for flat and inverted tets.
std::vector<double> equivalent_strain(const Points& rest, const Points& x, const Tets& tets);

}  // namespace sinew
