#include "sinew/linalg/dense_decompositions.h"

#include <algorithm>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace sinew {

SymmetricEigen symmetric_eigen(const MatX& A) {
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors(), eigen.info() == Eigen::Success};
}

SingularValues singular_values(const MatX& A) {
  const Eigen::JacobiSVD<MatX> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

MatX principal_columns(const MatX& A) {
  const Eigen::JacobiSVD<MatX> svd(A, Eigen::ComputeThinU);
  return svd.matrixU() * svd.singularValues().asDiagonal();
}

VecX least_squares(const MatX& A, const VecX& b, double share) {
  Eigen::JacobiSVD<MatX> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(share);
  return svd.solve(b);
}

// V of A are U of A^T: the full U of a divide-and-conquer decomposition, which is Jacobi's for small matrices.
MatX null_space(const MatX& A, double share) {
  const Eigen::BDCSVD<MatX> svd(A.transpose(), Eigen::ComputeFullU);
  const auto& values = svd.singularValues();
  Eigen::Index rank = 0;
  while (rank < values.size() && values[rank] > share * values[0]) ++rank;
  return svd.matrixU().rightCols(A.cols() - rank);
}

MatX orthonormal_columns(const MatX& A) {
  const Eigen::HouseholderQR<MatX> qr(A);
  return qr.householderQ() * MatX::Identity(A.rows(), A.cols());
}

MatX upper_triangle(const MatX& A) {
  const Eigen::HouseholderQR<MatX> qr(A);
  return qr.matrixQR().topRows(A.cols()).triangularView<Eigen::Upper>();
}

bool inverse_of_definite(const MatX& A, MatX& inverse) {
  const Eigen::LLT<MatX> factor(A);
  if (factor.info() != Eigen::Success) return false;
  inverse = factor.solve(MatX::Identity(A.rows(), A.cols()));
  return inverse.allFinite();
}

std::vector<Index> pivot_columns(const MatX& A) {
  const Eigen::ColPivHouseholderQR<MatX> qr(A);
  const auto& order = qr.colsPermutation().indices();
  return {order.begin(), order.end()};
}

}  // namespace sinew
