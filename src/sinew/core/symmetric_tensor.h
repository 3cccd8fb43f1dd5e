// Symmetric 3 x 3 tensors as six numbers, XX YY ZZ XY YZ XZ, and measures of stress and strain.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

Mat3 symmetric_matrix(const double* six);
void put_symmetric(const Mat3& matrix, double* six);

// Eigenvalues, largest first; directions: unit eigenvectors as columns in the same order.
Vec3 principal_values(const Mat3& symmetric);
Mat3 principal_directions(const Mat3& symmetric);

// sqrt(3/2 s : s) with the deviatoric part s.
double von_mises(const Mat3& stress);

// ln(F F^T) / 2, the logarithmic strain in the axes of space.
Mat3 logarithmic_strain(const Mat3& F);
// (F^T F - I) / 2, in the axes of the rest state.
Mat3 green_strain(const Mat3& F);

}  // namespace sinew
