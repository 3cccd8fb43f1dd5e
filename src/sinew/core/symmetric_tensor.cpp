#include "sinew/core/symmetric_tensor.h"

#include <cmath>

#include <Eigen/Eigenvalues>

namespace sinew {

Mat3 symmetric_matrix(const double* s) {
  Mat3 m;
  m << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return m;
}

void put_symmetric(const Mat3& m, double* s) {
  s[0] = m(0, 0), s[1] = m(1, 1), s[2] = m(2, 2);
  s[3] = m(0, 1), s[4] = m(1, 2), s[5] = m(0, 2);
}

// Eigen sorts eigenvalues, smallest first.
Vec3 principal_values(const Mat3& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(symmetric, Eigen::EigenvaluesOnly).eigenvalues().reverse();
}

Mat3 principal_directions(const Mat3& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(symmetric).eigenvectors().rowwise().reverse();
}

double von_mises(const Mat3& stress) {
  const Mat3 deviatoric = stress - stress.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5) * deviatoric.norm();
}

Mat3 logarithmic_strain(const Mat3& F) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(F * F.transpose());
  const Vec3 logs = eigen.eigenvalues().array().log() / 2;
  return eigen.eigenvectors() * logs.asDiagonal() * eigen.eigenvectors().transpose();
}

Mat3 green_strain(const Mat3& F) {
  return (F.transpose() * F - Mat3::Identity()) / 2;
}

}  // namespace sinew
