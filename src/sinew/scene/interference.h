// By how much the meshes of bodies overlap that a scene starts apart from each other, as after a shrink fit.
#pragma once

#include "sinew/model/setup.h"

namespace sinew {

// The least, over pairs of bodies that overlap in their rest shapes and may touch, of the deepest overlap [m]; 0: none.
double smallest_interference(const Setup& setup);

}  // namespace sinew
