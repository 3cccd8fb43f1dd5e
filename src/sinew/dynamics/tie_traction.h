// What a tie carries, which decides whether it breaks.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// The mean over the face that follows of the size of the traction that the tie puts on it [Pa], from the forces of the
// tie on vertices (3 x dynamic_count) [N]. Pressure does not count: glue is pulled or sheared off.
double mean_traction(const Tie& tie, const Points& x, const Points& forces);

}  // namespace sinew
