// Helpers for small dense symmetric matrices.
#pragma once

#include <Eigen/Eigenvalues>

#include "sinew/core/types.h"

namespace sinew {

// The symmetric positive semidefinite matrix nearest to A (Frobenius norm): negative eigenvalues become zero. Of A only
// the lower triangle is read. Returns whether A changed. A that has no negative eigenvalue keeps its bits.
template <int N>
bool project_psd(Eigen::Matrix<double, N, N>& A) {
  static_assert(N > 0, "for fixed sizes");
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, N, N>> eigen(A);
  const auto& values = eigen.eigenvalues();  // ascending
  if (values[0] >= 0) return false;
  const Eigen::Matrix<double, N, 1> clamped = values.cwiseMax(0.0);
  A.noalias() = eigen.eigenvectors() * clamped.asDiagonal() * eigen.eigenvectors().transpose();
  A = (0.5 * (A + A.transpose())).eval();  // products of rounded factors are not symmetric to the bit
  return true;
}

}  // namespace sinew
