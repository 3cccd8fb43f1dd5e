// How far the nodes of a ten-node tet may move while det F > 0 in the whole tet.
#pragma once

#include <array>

#include "sinew/core/types.h"

namespace sinew {

// dx/dxi at the four corners of a ten-node tet, xi the coordinates in which the straight tet is the unit tet; dx/dxi is
// linear in between. x: 3 x n, nodes: ten ids.
std::array<Mat3, 4> corner_jacobians(const Points& x, const Index* nodes);

// The smallest Bernstein coefficient of det(dx/dxi) on the tet: if it is positive, so is the determinant everywhere.
double least_coefficient(const std::array<Mat3, 4>& jacobians);

// A bound from below of the first t in [0, 1] at which det(A + t B) vanishes somewhere in the tet; infinity if it never
// does. A and B: dx/dxi of positions and of their displacement. det A must be positive.
double first_inversion(const std::array<Mat3, 4>& A, const std::array<Mat3, 4>& B);

}  // namespace sinew
