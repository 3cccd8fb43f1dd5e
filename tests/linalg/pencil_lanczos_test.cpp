#include "sinew/linalg/pencil_lanczos.h"

#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace sinew {
namespace {

// An indefinite A and a positive definite B; `left_out` rows are zero in solutions.
TEST(PencilLanczos, FindsTheLargestPairsOfIndefinitePencils) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const Index n : {9, 200}) {
    MatX A(n, n), G(n, n);
    for (double& value : A.reshaped()) value = normal(random);
    for (double& value : G.reshaped()) value = normal(random);
    A = (A + A.transpose()).eval();
    const MatX B = G * G.transpose() + n * MatX::Identity(n, n);
    const Index free = n - 2;
    const Eigen::LLT<MatX> factor(B.topLeftCorner(free, free));
    Pencil pencil;
    pencil.rows = n;
    pencil.multiply_a = [&](const MatX& x) -> MatX { return A * x; };
    pencil.multiply_b = [&](const MatX& x) -> MatX { return B * x; };
    pencil.solve_b = [&](const MatX& b) {
      MatX x = MatX::Zero(n, b.cols());
      x.topRows(free) = factor.solve(b.topRows(free));
      return x;
    };
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> expected(A.topLeftCorner(free, free),
                                                                  B.topLeftCorner(free, free));
    const Index count = std::min<Index>(6, free);
    const Eigenpairs pairs = largest_pencil_pairs(pencil, count);
    ASSERT_EQ(pairs.values.size(), count);
    for (Index k = 0; k < count; ++k)
      EXPECT_NEAR(pairs.values[k], expected.eigenvalues()[free - 1 - k], 1e-10) << n << " " << k;
    EXPECT_LT((pairs.vectors.transpose() * B * pairs.vectors - MatX::Identity(count, count)).norm(), 1e-9);
    EXPECT_EQ(pairs.vectors.bottomRows(2).norm(), 0);
  }
}

// All pairs of a small pencil, and no more than it has.
TEST(PencilLanczos, FindsAllPairsOfSmallPencils) {
  const VecX diagonal = VecX::LinSpaced(5, -2, 2);
  Pencil pencil;
  pencil.rows = 5;
  pencil.multiply_a = [&](const MatX& x) -> MatX { return diagonal.asDiagonal() * x; };
  pencil.multiply_b = pencil.solve_b = [](const MatX& x) { return x; };
  const Eigenpairs pairs = largest_pencil_pairs(pencil, 20);
  ASSERT_EQ(pairs.values.size(), 5);
  for (Index k = 0; k < 5; ++k) EXPECT_NEAR(pairs.values[k], 2 - k, 1e-12);
}

}  // namespace
}  // namespace sinew
