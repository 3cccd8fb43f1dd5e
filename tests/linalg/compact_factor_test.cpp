#include "sinew/linalg/compact_factor.h"

#include <limits>

#include "linalg/linalg_fixtures.h"
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/linalg/cholesky.h"

namespace sinew::compact_factor_test {
namespace {

using namespace test;

constexpr double single = std::numeric_limits<float>::epsilon();

SymBlockMatrix grid_matrix(Index nx, Index ny, Index nz, unsigned seed = 2) {
  return random_matrix(make_pattern(nx * ny * nz, grid_pairs(nx, ny, nz)), seed);
}

std::vector<SymBlockMatrix> shapes() {
  std::vector<SymBlockMatrix> matrices;
  for (const Index rows : {1, 2, 3, 5, 17, 130})  // panels of all widths, over and under a group of columns
    matrices.push_back(random_matrix(make_pattern(rows, random_pairs(rows, 3 * rows, 3)), 4));
  matrices.push_back(grid_matrix(12, 12, 12));
  matrices.push_back(grid_matrix(300, 3, 3));
  matrices.push_back(grid_matrix(40, 40, 2));
  matrices.push_back(random_matrix(make_pattern(500, {}), 6));                           // block diagonal
  matrices.push_back(random_matrix(make_pattern(900, random_pairs(900, 500, 7)), 8));    // many components
  matrices.push_back(random_matrix(make_pattern(400, random_pairs(400, 9000, 9)), 10));  // nearly one dense front
  return matrices;
}

VecX solved(SparseCholesky& solver, const VecX& b) {
  VecX x(b.size());
  EXPECT_TRUE(solver.solve(b.data(), x.data()).ok);
  return x;
}

// In the energy norm the error of L' L'^T is that of L relative to its size: rounding times the square root of the
// condition, here a few hundred at most, summed over the entries of a row.
TEST(CompactFactor, SolvesAsTheFactorItRounds) {
  for (const SymBlockMatrix& A : shapes()) {
    SparseCholesky exact, compact({.compact = true});
    ASSERT_TRUE(exact.compute(A) && compact.compute(A));
    const VecX b = random_vector(3 * A.rows(), 5), x = solved(exact, b), y = solved(compact, b);
    VecX Ae(b.size());
    const VecX e = y - x;
    A.multiply(e.data(), Ae.data());
    EXPECT_LE(std::sqrt(e.dot(Ae)), 100 * single * std::sqrt(x.dot(b))) << A.rows();
    EXPECT_GT((y - x).norm(), 0) << A.rows();
  }
}

// Three right-hand sides at once have the bits of each alone.
TEST(CompactFactor, SolvesThreeAtOnce) {
  for (const SymBlockMatrix& A : shapes()) {
    SparseCholesky compact({.compact = true});
    ASSERT_TRUE(compact.compute(A));
    const Eigen::Index n = 3 * A.rows();
    MatX b(3, n), x(3, n);
    for (int r = 0; r < 3; ++r) b.row(r) = random_vector(n, 11 + r).transpose();
    compact.solve3(b.data(), x.data());
    for (int r = 0; r < 3; ++r) EXPECT_EQ(VecX(x.row(r)), solved(compact, b.row(r)));
    compact.solve3(b.data(), b.data());
    EXPECT_EQ(b, x);
  }
}

TEST(CompactFactor, IsSymmetricAndPositive) {
  for (const SymBlockMatrix& A : shapes()) {
    SparseCholesky compact({.compact = true});
    ASSERT_TRUE(compact.compute(A));
    const VecX a = random_vector(3 * A.rows(), 6), b = random_vector(3 * A.rows(), 7);
    const VecX x = solved(compact, a), y = solved(compact, b);
    EXPECT_NEAR(a.dot(y), b.dot(x), 1e-13 * std::sqrt(a.dot(x) * b.dot(y))) << A.rows();
    EXPECT_GT(a.dot(x), 0);
  }
}

// A chain of stiff blocks that nothing holds but a spring of 1e-11 of their stiffness: its mode, the softest, must
// survive rounding.
TEST(CompactFactor, KeepsTheSoftestMode) {
  const Index n = 200;
  const SymBlockMatrix pattern = grid_matrix(n, 1, 1);
  SymBlockMatrix A(pattern.shared_pattern());
  const auto& begin = A.pattern().row_begin;
  for (Index i = 0; i < n; ++i) {
    for (auto s = begin[i]; s < begin[i + 1]; ++s) {
      const bool diagonal = s == begin[i];
      const double ends = i == 0 || i == n - 1 ? 1 : 2;
      for (int k = 0; k < 3; ++k) A.block(s)[4 * k] = diagonal ? ends + 1e-11 : -1;
    }
  }
  SparseCholesky compact({.compact = true});
  ASSERT_TRUE(compact.compute(A));
  const VecX b = VecX::Ones(3 * n), x = solved(compact, b);
  // 1e11 each. The factor's last pivot is the root of n times 1e-11, its rounding 1e-7 of neighbours near 1.
  EXPECT_NEAR(x.mean() * 1e-11, 1, 0.2);
}

TEST(CompactFactor, HasTheSameBitsForAnyThreads) {
  const SymBlockMatrix A = grid_matrix(14, 14, 14);
  const VecX b = random_vector(3 * A.rows(), 8);
  const auto solve_with = [&](int threads) {
    const ThreadLimit limit(threads);
    SparseCholesky compact({.compact = true});
    EXPECT_TRUE(compact.compute(A));
    return solved(compact, b);
  };
  const VecX expected = solve_with(1);
  for (const int threads : {2, 3, 4})
    for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(solve_with(threads), expected);
}

TEST(CompactFactor, MaySolveInPlaceAndAnew) {
  SparseCholesky compact({.compact = true});
  for (const SymBlockMatrix& A : shapes()) {
    ASSERT_TRUE(compact.compute(A));
    VecX b = random_vector(3 * A.rows(), 9);
    const VecX x = solved(compact, b);
    compact.solve(b.data(), b.data());
    EXPECT_EQ(b, x);
  }
}

}  // namespace
}  // namespace sinew::compact_factor_test
