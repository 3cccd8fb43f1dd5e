#include "sinew/linalg/dense_decompositions.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/random_stream.h"

namespace sinew::dense_decompositions_test {

constexpr double rounding = 1e-13;

MatX random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  RandomStream random(seed, 0);
  MatX A(rows, columns);
  for (double& value : A.reshaped()) value = 2 * random.uniform() - 1;
  return A;
}

TEST(DenseDecompositions, EigenpairsOfTheLowerTriangle) {
  MatX A = random_matrix(40, 40, 1);
  A = (A + A.transpose()).eval();
  MatX lower = A;
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(1e9);
  const SymmetricEigen eigen = symmetric_eigen(lower);
  EXPECT_TRUE(eigen.converged);
  EXPECT_LT((A * eigen.vectors - eigen.vectors * eigen.values.asDiagonal()).norm(), rounding * 40 * A.norm());
  EXPECT_LT((eigen.vectors.transpose() * eigen.vectors - MatX::Identity(40, 40)).norm(), 40 * rounding);
  for (Eigen::Index k = 1; k < 40; ++k) EXPECT_LE(eigen.values[k - 1], eigen.values[k]);
  A(3, 1) = NAN;
  EXPECT_FALSE(symmetric_eigen(A).converged);
}

TEST(DenseDecompositions, SingularValues) {
  for (const auto& [rows, columns] : {std::pair(9, 4), std::pair(4, 9), std::pair(5, 5)}) {
    const MatX A = random_matrix(rows, columns, 2);
    const SingularValues svd = singular_values(A);
    const Eigen::Index rank = std::min(rows, columns);
    ASSERT_EQ(svd.U.cols(), rows);
    ASSERT_EQ(svd.V.cols(), columns);
    const MatX principal = svd.U.leftCols(rank) * svd.values.asDiagonal();
    EXPECT_LT((principal * svd.V.leftCols(rank).transpose() - A).norm(), 10 * rounding);
    EXPECT_LT((principal_columns(A).cwiseAbs() - principal.cwiseAbs()).norm(), 10 * rounding);  // up to signs
  }
}

// Small ones by Jacobi's method, large ones by divide and conquer, tall and wide.
TEST(DenseDecompositions, NullSpaceOfAGivenRank) {
  for (const auto& [rows, columns, rank] :
       {std::tuple(6, 6, 4), std::tuple(3, 6, 2), std::tuple(120, 60, 55), std::tuple(40, 90, 30)}) {
    const MatX A = random_matrix(rows, rank, 3) * random_matrix(rank, columns, 4);
    const MatX N = null_space(A, 1e-9);
    ASSERT_EQ(N.cols(), columns - rank);
    EXPECT_LT((A * N).norm(), 1e3 * rounding * A.norm());
    EXPECT_LT((N.transpose() * N - MatX::Identity(N.cols(), N.cols())).norm(), 1e3 * rounding);
  }
  EXPECT_EQ(null_space(MatX::Zero(3, 5), 1e-9).cols(), 5);
}

// With dependent columns the solution of least length.
TEST(DenseDecompositions, LeastSquares) {
  MatX A = random_matrix(8, 4, 5);
  A.col(3) = A.col(0);
  const VecX b = random_matrix(8, 1, 6);
  const VecX x = least_squares(A, b, 1e-9);
  EXPECT_LT((A.transpose() * (A * x - b)).norm(), 1e2 * rounding);
  EXPECT_NEAR(x[0], x[3], 1e2 * rounding);
}

TEST(DenseDecompositions, TriangleAndOrthonormalColumns) {
  const MatX A = random_matrix(20, 7, 7), Q = orthonormal_columns(A), R = upper_triangle(A);
  EXPECT_LT((Q * R - A).norm(), 1e2 * rounding);
  EXPECT_LT((Q.transpose() * Q - MatX::Identity(7, 7)).norm(), 1e2 * rounding);
  EXPECT_EQ(R.triangularView<Eigen::StrictlyLower>().toDenseMatrix().norm(), 0);
}

TEST(DenseDecompositions, PivotsTakeTheLongestColumnFirst) {
  MatX A = MatX::Zero(3, 4);
  A(0, 2) = 5;
  A(1, 0) = 3;
  A(0, 1) = 4;  // along the first pivot
  A(2, 3) = 1;
  const std::vector<Index> order = pivot_columns(A);
  EXPECT_EQ(order[0], 2);
  EXPECT_EQ(order[1], 0);
  EXPECT_EQ(order[2], 3);
}

}  // namespace sinew::dense_decompositions_test
