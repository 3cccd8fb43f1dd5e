#include "sinew/linalg/dense.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

template <int N>
void expect_projection() {
  using Matrix = Eigen::Matrix<double, N, N>;
  srand(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix R = Matrix::Random();
    const Matrix A = R + R.transpose();
    Matrix P = A;
    const bool changed = project_psd<N>(P);
    Eigen::SelfAdjointEigenSolver<Matrix> before(A), after(P);
    EXPECT_EQ(changed, before.eigenvalues()[0] < 0);
    EXPECT_TRUE(P == P.transpose());
    EXPECT_GE(after.eigenvalues()[0], -1e-14 * A.norm());
    EXPECT_LE((after.eigenvalues() - before.eigenvalues().cwiseMax(0.0)).norm(), 1e-14 * N * A.norm());
    // P - A is the negative part: it is positive semidefinite and orthogonal to P.
    const Matrix product = P * (P - A);
    EXPECT_LE(product.cwiseAbs().maxCoeff(), 1e-13 * N * A.squaredNorm());
  }
}

TEST(ProjectPsd, ClampsNegativeEigenvalues) {
  expect_projection<2>();
  expect_projection<3>();
  expect_projection<6>();
  expect_projection<12>();
}

TEST(ProjectPsd, KeepsTheBitsOfDefiniteMatrices) {
  const Mat12 R = Mat12::Random();
  const Mat12 A = (R * R.transpose()).selfadjointView<Eigen::Lower>();
  Mat12 P = A + Mat12::Identity();
  const Mat12 before = P;
  EXPECT_FALSE(project_psd<12>(P));
  EXPECT_TRUE(P == before);
}

}  // namespace
}  // namespace sinew
