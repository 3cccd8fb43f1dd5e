#include "sinew/linalg/cholesky.h"

#include <limits>
#include <numeric>
#include <thread>

#include "linalg/linalg_fixtures.h"
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/linalg/ordering.h"

namespace sinew {
namespace {

using namespace test;

void expect_exact(SparseCholesky& solver, const SymBlockMatrix& A) {
  ASSERT_TRUE(solver.compute(A));
  const VecX b = random_vector(3 * A.rows(), 1);
  VecX x(b.size());
  const LinearSolveReport report = solver.solve(b.data(), x.data());
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_LE(report.relative_residual, 1e-13);
  VecX Ax(b.size());
  A.multiply(x.data(), Ax.data());
  EXPECT_LE((b - Ax).norm(), 1e-13 * b.norm());
}

SymBlockMatrix grid_matrix(Index nx, Index ny, Index nz, unsigned seed = 2) {
  return random_matrix(make_pattern(nx * ny * nz, grid_pairs(nx, ny, nz)), seed);
}

class CholeskyOrderings : public testing::TestWithParam<OrderingMethod> {
 protected:
  SparseCholesky solver{{.ordering = GetParam()}};
};

TEST_P(CholeskyOrderings, MatchesTheDenseSolution) {
  for (const Index rows : {1, 2, 3, 17, 130}) {
    const SymBlockMatrix A = random_matrix(make_pattern(rows, random_pairs(rows, 3 * rows, 3)), 4);
    expect_exact(solver, A);
    const VecX b = random_vector(3 * rows, 5), expected = dense(A).llt().solve(b);
    VecX x(b.size());
    solver.solve(b.data(), x.data());
    EXPECT_LE((x - expected).norm(), 1e-13 * expected.norm());
  }
}

TEST_P(CholeskyOrderings, SolvesBlobsBarsPlatesAndForests) {
  expect_exact(solver, grid_matrix(12, 12, 12));
  expect_exact(solver, grid_matrix(300, 3, 3));
  expect_exact(solver, grid_matrix(40, 40, 2));
  expect_exact(solver, random_matrix(make_pattern(500, {}), 6));                           // block diagonal
  expect_exact(solver, random_matrix(make_pattern(900, random_pairs(900, 500, 7)), 8));    // many components
  expect_exact(solver, random_matrix(make_pattern(400, random_pairs(400, 9000, 9)), 10));  // nearly one dense front
}

TEST(Ordering, IsTheSameWhileOtherThreadsOrder) {
  const std::shared_ptr<const BlockPattern> pattern = make_pattern(12 * 12 * 12, grid_pairs(12, 12, 12));
  const auto order = [&] { return fill_reducing_order(*pattern, OrderingMethod::nested_dissection).order; };
  const std::vector<Index> expected = order();
  std::vector<std::vector<Index>> found(4);
  std::vector<std::thread> threads;
  for (auto& result : found) threads.emplace_back([&] { result = order(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : found) EXPECT_EQ(result, expected);
}

INSTANTIATE_TEST_SUITE_P(All, CholeskyOrderings,
                         testing::Values(OrderingMethod::automatic, OrderingMethod::nested_dissection,
                                         OrderingMethod::minimum_degree));

// A row coupled with all others, as a vertex under a wide obstacle.
TEST(Cholesky, SolvesAnArrow) {
  Pairs pairs = grid_pairs(9, 9, 9);
  for (Index i = 0; i < 729; ++i) pairs.emplace_back(300, i);
  SparseCholesky solver;
  expect_exact(solver, random_matrix(make_pattern(729, pairs), 11));
}

TEST(Cholesky, HasTheSameBitsForAnyThreads) {
  const SymBlockMatrix A = grid_matrix(20, 20, 20);
  const VecX b = random_vector(3 * A.rows(), 12);
  const auto solve = [&](int threads) {
    const ThreadLimit limit(threads);
    SparseCholesky solver;
    EXPECT_TRUE(solver.compute(A));
    VecX x(b.size());
    solver.solve(b.data(), x.data());
    return x;
  };
  const VecX x = solve(1);
  EXPECT_TRUE(x == solve(2));
  EXPECT_TRUE(x == solve(1));
}

TEST(Cholesky, PowerOfTwoUnitsScaleExactly) {
  const SymBlockMatrix A = grid_matrix(9, 8, 7);
  SymBlockMatrix scaled = A;
  for (double& v : scaled.values()) v = std::ldexp(v, -83);  // an odd power: its root is no power of two
  const VecX b = random_vector(3 * A.rows(), 13), scaled_b = b * std::ldexp(1.0, -60);
  VecX x(b.size()), scaled_x(b.size());
  SparseCholesky solver;
  ASSERT_TRUE(solver.compute(A));
  solver.solve(b.data(), x.data());
  ASSERT_TRUE(solver.compute(scaled));
  solver.solve(scaled_b.data(), scaled_x.data());
  EXPECT_TRUE(scaled_x == x * std::ldexp(1.0, 23));
}

TEST(Cholesky, DetectsIndefiniteMatrices) {
  SparseCholesky solver;
  SymBlockMatrix A = grid_matrix(10, 10, 10);
  ASSERT_TRUE(solver.compute(A));

  SymBlockMatrix negative_diagonal = A;
  negative_diagonal.block(A.pattern().row_begin[77])[4] = -1;
  EXPECT_FALSE(solver.compute(negative_diagonal));

  SymBlockMatrix hidden = A;  // positive diagonal, one large coupling
  hidden.block(A.pattern().row_begin[500] + 1)[0] = 1e3;
  EXPECT_FALSE(solver.compute(hidden));
  const VecX b = random_vector(3 * A.rows(), 14);
  VecX x(b.size());
  EXPECT_THROW(solver.solve(b.data(), x.data()), std::logic_error);

  SymBlockMatrix not_a_number = A;
  not_a_number.block(A.pattern().row_begin[500] + 1)[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(solver.compute(not_a_number));
  not_a_number.block(A.pattern().row_begin[500] + 1)[4] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(solver.compute(not_a_number));

  expect_exact(solver, A);  // and goes on with a good one
  EXPECT_EQ(solver.report().failures, 4);
}

// The free Laplacian is singular: rounding must not pass for a positive pivot.
TEST(Cholesky, DetectsSingularMatrices) {
  SymBlockMatrix A(make_pattern(8 * 8 * 8, grid_pairs(8, 8, 8)));
  for (Index i = 0; i < A.rows(); ++i)
    for (std::int64_t k = A.pattern().row_begin[i] + 1; k < A.pattern().row_begin[i + 1]; ++k)
      for (int a = 0; a < 3; ++a) {
        A.block(k)[4 * a] = -1;
        A.block(A.pattern().row_begin[i])[4 * a] += 1;
        A.block(A.pattern().row_begin[A.pattern().columns[k]])[4 * a] += 1;
      }
  SparseCholesky solver;
  const bool accepted = solver.compute(A);
  A.block(0)[0] += 1;
  A.block(0)[4] += 1;
  A.block(0)[8] += 1;  // one vertex held: regular
  EXPECT_TRUE(solver.compute(A));
  EXPECT_FALSE(accepted);
}

TEST(Cholesky, KeepsTheAnalysisWhileThePatternIsTheSame) {
  SparseCholesky solver;
  expect_exact(solver, grid_matrix(8, 8, 8, 15));
  expect_exact(solver, grid_matrix(8, 8, 8, 16));  // another object, equal
  EXPECT_EQ(solver.report().orderings, 1);
  EXPECT_EQ(solver.report().analyses, 1);
  EXPECT_EQ(solver.report().factorizations, 2);
}

TEST(Cholesky, KeepsTheOrderWhenFewPairsAreAdded) {
  SparseCholesky solver;
  const auto base = make_pattern(1000, grid_pairs(10, 10, 10));
  expect_exact(solver, random_matrix(base, 17));
  expect_exact(solver, random_matrix(extend_pattern(*base, Pairs{{0, 300}, {5, 222}}), 18));
  EXPECT_EQ(solver.report().orderings, 1);
  EXPECT_EQ(solver.report().analyses, 2);
  expect_exact(solver, random_matrix(extend_pattern(*base, random_pairs(1000, 2500, 19)), 20));  // much more fill
  EXPECT_EQ(solver.report().orderings, 2);
  expect_exact(solver, random_matrix(base, 21));  // the order was made for far more blocks
  EXPECT_EQ(solver.report().orderings, 3);
  expect_exact(solver, grid_matrix(5, 5, 5));  // another size
  EXPECT_EQ(solver.report().orderings, 4);
}

TEST(Cholesky, SavedOrdersGiveTheSameBits) {
  const auto base = make_pattern(1000, grid_pairs(10, 10, 10));
  const SymBlockMatrix A = random_matrix(base, 22);
  const SymBlockMatrix few = random_matrix(extend_pattern(*base, random_pairs(1000, 1500, 23)), 24);
  const SymBlockMatrix more = random_matrix(extend_pattern(few.pattern(), random_pairs(1000, 5, 26)), 27);
  const VecX b = random_vector(3000, 25);
  const auto solution = [&](SparseCholesky& solver, const SymBlockMatrix& matrix) {
    VecX x(3000);
    EXPECT_TRUE(solver.compute(matrix));
    solver.solve(b.data(), x.data());
    return x;
  };
  SparseCholesky whole, resumed;
  whole.prepare(base);
  EXPECT_EQ(whole.report().orderings, 1);
  const VecX first = solution(whole, A);
  solution(whole, few);
  EXPECT_EQ(whole.report().orderings, 2);  // the mesh's order is a bad one with so many contacts
  ArchiveWriter archive("", "checkpoint");
  whole.save(archive);
  resumed.load(ArchiveReader::from_bytes(archive.bytes(), "checkpoint", "memory"));
  resumed.prepare(base);
  EXPECT_TRUE(solution(whole, more) == solution(resumed, more));
  EXPECT_TRUE(solution(whole, few) == solution(resumed, few));
  EXPECT_TRUE(solution(resumed, A) == first);
  EXPECT_EQ(resumed.report().orderings, 1);
}

// Stiff contacts beside soft material: entries over fourteen decades.
TEST(Cholesky, SolvesBadlyScaledMatrices) {
  SymBlockMatrix A = grid_matrix(8, 8, 8);
  const VecX exponents = random_vector(3 * A.rows(), 26);
  const auto scale = [&](Index i, int a) { return std::pow(10.0, 3.5 * exponents[3 * i + a]); };
  for (Index i = 0; i < A.rows(); ++i)
    for (std::int64_t k = A.pattern().row_begin[i]; k < A.pattern().row_begin[i + 1]; ++k)
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) A.block(k)[3 * c + r] *= scale(i, r) * scale(A.pattern().columns[k], c);
  SparseCholesky solver;
  ASSERT_TRUE(solver.compute(A));
  const VecX expected = random_vector(3 * A.rows(), 27);
  VecX b(expected.size()), x(expected.size());
  A.multiply(expected.data(), b.data());
  EXPECT_LE(solver.solve(b.data(), x.data()).relative_residual, 1e-13);
}

TEST(Cholesky, ZeroRightHandSideGivesZero) {
  const SymBlockMatrix A = grid_matrix(4, 4, 4);
  SparseCholesky solver;
  ASSERT_TRUE(solver.compute(A));
  const VecX b = VecX::Zero(3 * A.rows());
  VecX x = random_vector(b.size(), 28);
  EXPECT_TRUE(solver.solve(b.data(), x.data()).ok);
  EXPECT_TRUE(x == b);
}

TEST(Cholesky, SizeZero) {
  SparseCholesky solver;
  SymBlockMatrix A(make_pattern(0, {}));
  EXPECT_TRUE(solver.compute(A));
  EXPECT_TRUE(solver.solve(nullptr, nullptr).ok);
}

// The structure against the definition: fill of the eliminated graph, nested rows, postorder.
TEST(SymbolicFactor, CoversTheFillOfTheEliminatedGraph) {
  const auto pattern = make_pattern(150, random_pairs(150, 350, 29));
  const Ordering ordering = fill_reducing_order(*pattern, OrderingMethod::minimum_degree);
  const SymbolicFactor f = analyze(*pattern, ordering.order);
  std::vector<Index> position(150);
  for (Index k = 0; k < 150; ++k) position[f.order[k]] = k;
  Eigen::MatrixXi L = Eigen::MatrixXi::Zero(150, 150);
  for (Index i = 0; i < 150; ++i)
    for (std::int64_t k = pattern->row_begin[i]; k < pattern->row_begin[i + 1]; ++k) {
      const auto [low, high] = std::minmax(position[i], position[pattern->columns[k]]);
      L(high, low) = 1;
    }
  for (Index k = 0; k < 150; ++k)
    for (Index i = k + 1; i < 150; ++i)
      for (Index j = k + 1; j <= i; ++j)
        if (L(i, k) && L(j, k)) L(i, j) = 1;
  std::int64_t entries = 0;
  for (Index s = 0; s < f.front_count(); ++s) {
    EXPECT_TRUE(f.parent[s] < 0 || f.parent[s] > s);
    std::vector<Index> local(f.rows.begin() + f.row_begin[s], f.rows.begin() + f.row_begin[s + 1]);
    EXPECT_TRUE(std::is_sorted(local.begin(), local.end()));
    for (Index k = f.column_begin[s + 1]; k-- > f.column_begin[s];) {
      for (Index i = f.column_begin[s + 1]; i < 150; ++i)
        EXPECT_TRUE(!L(i, k) || std::binary_search(local.begin(), local.end(), i));
      entries += 9 * static_cast<std::int64_t>(local.size() + (f.column_begin[s + 1] - 1 - k)) + 6;
    }
  }
  EXPECT_EQ(entries, f.factor_nnz);
  double flops = 0;
  for (Index k = 0; k < 150; ++k)
    for (int a = 0; a < 3; ++a) flops += std::pow(3.0 * L.col(k).sum() - a, 2);
  EXPECT_DOUBLE_EQ(predict_flops(*pattern, f.order), flops);
  EXPECT_DOUBLE_EQ(predict_flops(*pattern, ordering.order), flops);
}

// Rows in groups of four with the same neighbours, as the functions of handles: in the order they stay together, and
// it is as good as one of the rows themselves.
TEST(Ordering, TakesEqualRowsTogether) {
  Pairs edges = random_pairs(343, 900, 31);
  for (Index i = 0; i + 2 < 343; i += 2) edges.emplace_back(i, i + 2);  // no two in a row with the same neighbours
  for (auto& [i, j] : edges)
    if (i > j) std::swap(i, j);
  Pairs pairs;
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      for (const auto& [i, j] : edges) pairs.emplace_back(4 * i + a, 4 * j + b);
      for (Index i = 0; i < 343; ++i) pairs.emplace_back(4 * i + a, 4 * i + b);
    }
  }
  for (auto& [i, j] : pairs)
    if (i > j) std::swap(i, j);
  const auto rows = make_pattern(4 * 343, pairs), groups = make_pattern(343, edges);
  for (const auto method :
       {OrderingMethod::minimum_degree, OrderingMethod::nested_dissection, OrderingMethod::automatic}) {
    const Ordering order = fill_reducing_order(*rows, method);
    std::vector<Index> of_groups;
    for (std::size_t k = 0; k < order.order.size(); ++k) {
      EXPECT_EQ(order.order[k], 4 * (order.order[k / 4 * 4] / 4) + static_cast<Index>(k % 4));
      if (k % 4 == 0) of_groups.push_back(order.order[k] / 4);
    }
    if (method == OrderingMethod::minimum_degree) {
      EXPECT_EQ(of_groups, fill_reducing_order(*groups, method).order);
    }
    // The cube of the size of groups, less the part of their own elimination.
    EXPECT_NEAR(predict_flops(*rows, order.order) / predict_flops(*groups, of_groups), 64, 16);
  }
}

TEST(Ordering, IsAPermutationAndRepeatable) {
  const auto pattern = make_pattern(12 * 12 * 12, grid_pairs(12, 12, 12));
  for (auto method : {OrderingMethod::automatic, OrderingMethod::nested_dissection, OrderingMethod::minimum_degree}) {
    const Ordering ordering = fill_reducing_order(*pattern, method);
    EXPECT_EQ(ordering.order, fill_reducing_order(*pattern, method).order);
    std::vector<Index> sorted = ordering.order, all(sorted.size());
    std::sort(sorted.begin(), sorted.end());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(sorted, all);
  }
}

}  // namespace
}  // namespace sinew
