// The scalar factorisation against the matrices it is given: any pattern, any size, only the lower triangle read.
#include "sinew/linalg/scalar_cholesky.h"

#include <random>

#include "linalg/grid_laplacian.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

MatX random_columns(Eigen::Index n, int columns) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  MatX b(n, columns);
  for (Eigen::Index i = 0; i < b.size(); ++i) b.data()[i] = normal(random);
  return b;
}

TEST(ScalarCholesky, SolvesGridsOfAnySize) {
  for (const Index w : {1, 2, 3, 5, 20}) {
    const SparseMatrix A = test::grid_laplacian(w, w, w, 1e-2);
    ScalarCholesky solver;
    ASSERT_TRUE(solver.compute(A));
    const MatX b = random_columns(A.cols(), 3);
    EXPECT_LT((A * solver.solve(b) - b).norm(), 1e-12 * b.norm()) << w;
  }
}

// Within what single precision leaves of it.
TEST(ScalarCholesky, CompactSolvesThreeColumnsOfGridsOfAnySize) {
  for (const Index w : {1, 2, 3, 5, 20}) {
    const SparseMatrix A = test::grid_laplacian(w, w, w, 1e-2);
    ScalarCholesky solver(true), exact;
    ASSERT_TRUE(solver.compute(A) && exact.compute(A));
    const MatX b = random_columns(A.cols(), 3);
    Points x(3, A.cols());
    solver.solve(Points(b.transpose()), x);
    EXPECT_LT((x.transpose() - exact.solve(b)).norm(), 1e-4 * x.norm()) << w;
    EXPECT_LT((A * MatX(x.transpose()) - b).norm(), 1e-5 * b.norm()) << w;
  }
}

TEST(ScalarCholesky, ReadsOnlyTheLowerTriangle) {
  SparseMatrix A = test::grid_laplacian(4, 4, 4, 0.1);
  const SparseMatrix lower = A.triangularView<Eigen::Lower>();
  ScalarCholesky solver;
  ASSERT_TRUE(solver.compute(lower));
  const MatX b = random_columns(A.cols(), 1);
  EXPECT_LT((A * solver.solve(b) - b).norm(), 1e-12 * b.norm());
}

TEST(ScalarCholesky, TakesUnknownsWithoutNeighbours) {
  SparseMatrix A(5, 5);
  for (Index i = 0; i < 5; ++i) A.insert(i, i) = i + 1;
  ScalarCholesky solver;
  ASSERT_TRUE(solver.compute(A));
  const MatX x = solver.solve(VecX::Ones(5));
  for (Index i = 0; i < 5; ++i) EXPECT_NEAR(x(i, 0), 1.0 / (i + 1), 1e-15);
}

TEST(ScalarCholesky, TakesNothing) {
  ScalarCholesky solver;
  EXPECT_TRUE(solver.compute(SparseMatrix(0, 0)));
  EXPECT_EQ(solver.solve(MatX(0, 2)).cols(), 2);
}

TEST(ScalarCholesky, RefusesWhatIsNotPositiveDefinite) {
  ScalarCholesky solver;
  EXPECT_FALSE(solver.compute(test::grid_laplacian(5, 5, 5, 0)));  // constants are in its null space
  EXPECT_FALSE(solver.compute(test::grid_laplacian(5, 5, 5, -0.1)));
  EXPECT_TRUE(solver.compute(test::grid_laplacian(5, 5, 5, 0.1)));
}

}  // namespace
}  // namespace sinew
