// How far the nodes of a ten-node tet may move while det F > 0 in the whole tet.
#pragma once

#include "sinew/mesh/quadratic_jacobian.h"

namespace sinew {

// A bound from below of the first t in [0, 1] at which det(A + t B) vanishes somewhere in the tet; infinity if it never
// does. A and B: dx/dxi of positions and of their displacement. det A must be positive.
double first_inversion(const CornerJacobians& A, const CornerJacobians& B);

}  // namespace sinew
