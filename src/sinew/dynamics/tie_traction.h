// Computes the traction of a tie, which decides whether the tie breaks.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// Returns the mean magnitude [Pa] of the traction on the tie's following face. x: 3 x n_all. forces: of the tie on
// vertices, 3 x dynamic_count [N]. Pressure does not count, because glue breaks by tension or shear.
double mean_traction(const Tie& tie, const Points& x, const Points& forces);

}  // namespace sinew
