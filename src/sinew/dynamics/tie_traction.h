// The traction of a tie, which decides whether it breaks.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// Returns the mean magnitude [Pa] of the tie's traction on its following face. forces: of the tie on vertices, 3 x
// dynamic_count [N]. Pressure does not count: glue breaks by tension or shear.
double mean_traction(const Tie& tie, const Points& x, const Points& forces);

}  // namespace sinew
