#include "sinew/linalg/negative_curvature.h"

#include "linalg/linalg_fixtures.h"
#include <gtest/gtest.h>

#include "sinew/linalg/jacobi.h"

namespace sinew {
namespace {

using namespace test;

// A mesh's matrix with its least eigenvalue moved to about `least` of the diagonal.
SymBlockMatrix shifted_matrix(double least) {
  SymBlockMatrix A = random_matrix(make_pattern(6 * 5 * 4, grid_pairs(6, 5, 4)), 1, 1.002);
  const MatX whole = dense(A);
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(whole, Eigen::EigenvaluesOnly);
  const double shift = least * whole.diagonal().mean() - eigen.eigenvalues()[0];
  for (Index i = 0; i < A.rows(); ++i) {
    double* block = A.block(A.pattern().row_begin[i]);
    for (int k = 0; k < 9; k += 4) block[k] += shift;
  }
  return A;
}

TEST(NegativeCurvature, IsFoundWhereThereIsSome) {
  for (const double least : {-0.1, -0.01, -0.001}) {
    const SymBlockMatrix A = shifted_matrix(least);
    BlockJacobi M;
    ASSERT_TRUE(M.compute(A));
    VecX z = VecX::Zero(3 * A.rows()), Az(z.size());
    ASSERT_EQ(find_negative_curvature(A, M, 200, z.data()), Definiteness::indefinite) << least;
    A.multiply(z.data(), Az.data());
    EXPECT_LT(z.dot(Az), 0);
  }
}

TEST(NegativeCurvature, IsNotFoundInPositiveDefiniteMatrices) {
  for (const double least : {0.1, 0.01, 0.001}) {
    const SymBlockMatrix A = shifted_matrix(least);
    BlockJacobi M;
    ASSERT_TRUE(M.compute(A));
    VecX z = VecX::Zero(3 * A.rows());
    EXPECT_EQ(find_negative_curvature(A, M, 500, z.data()), Definiteness::positive) << least;
    EXPECT_EQ(find_negative_curvature(A, M, 2, z.data()), Definiteness::unknown);
  }
}

}  // namespace
}  // namespace sinew
