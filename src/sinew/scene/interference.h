// Measures the overlap of rest meshes of bodies that are apart at the start, as for a shrink fit.
#pragma once

#include "sinew/model/setup.h"

namespace sinew {

// Returns the smallest, over pairs of a body and a body or obstacle that may touch, of the deepest overlap of their
// rest shapes [m]; 0: none overlap.
double smallest_interference(const Setup& setup);

}  // namespace sinew
