// The Jacobian of ten-node tets, and its sign.
#pragma once

#include <array>

#include "sinew/core/types.h"

namespace sinew {

// dx/dxi at the four corners of a ten-node tet, xi the coordinates in which the straight tet is the unit tet; dx/dxi is
// linear in between. x: 3 x n, nodes: ten ids.
using CornerJacobians = std::array<Mat3, 4>;
CornerJacobians corner_jacobians(const Points& x, const Index* nodes);

// The mixed discriminant, symmetric and linear in each matrix, with D(M, M, M) = det M.
double mixed_discriminant(const Mat3& P, const Mat3& Q, const Mat3& R);

// Corners {i, j, k} of the 20 Bernstein coefficients of degree 3 of det(dx/dxi), which are D(J_i, J_j, J_k).
constexpr std::array<std::array<int, 3>, 20> bernstein_corners() {
  std::array<std::array<int, 3>, 20> all{};
  int count = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = i; j < 4; ++j)
      for (int k = j; k < 4; ++k) all[count++] = {i, j, k};
  return all;
}

// The smallest Bernstein coefficient on the tet: if it is positive, so is the determinant everywhere.
double least_coefficient(const CornerJacobians& jacobians);

// A cheap bound from below of all coefficients. The matrices are J_k = M (I + E_k) with their mean M. If all |E_k| <=
// e, no coefficient is below det M (1 - 3 e - 3 e^2 - e^3). change: the bound holds for J + t change, t in [0, 1].
double coefficient_bound(const CornerJacobians& jacobians, const CornerJacobians* change = nullptr);

// Halvings of a tet's edges that tests of its determinant make. Coefficients approach the determinant with the square
// of the size of the parts.
inline constexpr int most_divisions = 3;

// Whether det(dx/dxi) > 0 in the whole tet, as far as the coefficients of divisions of it tell.
bool is_positive(const CornerJacobians& jacobians);

// The matrices at the corners of eight parts of the tet.
std::array<CornerJacobians, 8> jacobians_of_parts(const CornerJacobians& jacobians);

}  // namespace sinew
