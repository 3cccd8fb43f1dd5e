#include "sinew/linalg/block_matrix.h"

#include <set>

#include "linalg/linalg_fixtures.h"
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

using namespace test;

std::vector<std::vector<Index>> reference_rows(Index rows, const Pairs& pairs) {
  std::vector<std::set<Index>> sets(rows);
  for (Index i = 0; i < rows; ++i) sets[i].insert(i);
  for (const auto& [a, b] : pairs) sets[std::min(a, b)].insert(std::max(a, b));
  std::vector<std::vector<Index>> result(rows);
  for (Index i = 0; i < rows; ++i) result[i].assign(sets[i].begin(), sets[i].end());
  return result;
}

void expect_rows(const BlockPattern& pattern, const std::vector<std::vector<Index>>& rows) {
  ASSERT_EQ(pattern.rows, static_cast<Index>(rows.size()));
  for (Index i = 0; i < pattern.rows; ++i) {
    const std::vector<Index> row(pattern.columns.begin() + pattern.row_begin[i],
                                 pattern.columns.begin() + pattern.row_begin[i + 1]);
    ASSERT_EQ(row, rows[i]) << "row " << i;
  }
}

TEST(BlockPattern, HoldsDiagonalAndPairsInOrder) {
  const Pairs pairs = random_pairs(3000, 20000, 1);
  expect_rows(*make_pattern(3000, pairs), reference_rows(3000, pairs));
}

TEST(BlockPattern, WithoutPairsIsTheDiagonal) {
  EXPECT_EQ(make_pattern(5, {})->block_count(), 5);
  EXPECT_EQ(make_pattern(0, {})->block_count(), 0);
}

TEST(BlockPattern, ExtensionIsTheUnion) {
  Pairs first = random_pairs(2000, 9000, 2);
  const Pairs second = random_pairs(2000, 700, 3);
  const auto extended = extend_pattern(*make_pattern(2000, first), second);
  first.insert(first.end(), second.begin(), second.end());
  EXPECT_EQ(*extended, *make_pattern(2000, first));
  EXPECT_EQ(*extend_pattern(*extended, second), *extended);
  EXPECT_EQ(*extend_pattern(*extended, {}), *extended);
}

TEST(BlockPattern, FindsExactlyItsSlots) {
  const auto pattern = make_pattern(60, random_pairs(60, 300, 4));
  for (Index i = 0; i < 60; ++i)
    for (Index j = i; j < 60; ++j) {
      const auto begin = pattern->columns.begin() + pattern->row_begin[i];
      const auto end = pattern->columns.begin() + pattern->row_begin[i + 1];
      const auto found = std::find(begin, end, j);
      EXPECT_EQ(pattern->find(i, j), found == end ? -1 : found - pattern->columns.begin());
      EXPECT_EQ(pattern->contains(Pairs{{i, i}, {i, j}}), found != end);
    }
}

TEST(BlockPattern, ContainsLooksAtEveryPair) {
  const auto pattern = make_pattern(20000, grid_pairs(20, 20, 50));
  Pairs pairs = grid_pairs(20, 20, 50);
  EXPECT_TRUE(pattern->contains(pairs));
  pairs[pairs.size() / 2] = {0, 19999};
  EXPECT_FALSE(pattern->contains(pairs));
}

// Sizes with one chunk and with many; patterns with near and far columns.
class BlockProductTest : public testing::TestWithParam<std::pair<Index, int>> {};

TEST_P(BlockProductTest, EqualsTheDenseProduct) {
  const auto [rows, count] = GetParam();
  const SymBlockMatrix A = random_matrix(make_pattern(rows, random_pairs(rows, count, 5)), 6);
  const VecX x = random_vector(3 * rows, 7);
  VecX y(3 * rows);
  const double dot = A.multiply_dot(x.data(), y.data());
  const VecX expected = dense(A) * x;
  EXPECT_LE((y - expected).lpNorm<Eigen::Infinity>(), 1e-14 * expected.lpNorm<Eigen::Infinity>());
  EXPECT_NEAR(dot, x.dot(expected), 1e-13 * std::abs(x.dot(expected)));
}

INSTANTIATE_TEST_SUITE_P(Sizes, BlockProductTest,
                         testing::Values(std::pair<Index, int>{1, 0}, std::pair<Index, int>{7, 20},
                                         std::pair<Index, int>{300, 3000}, std::pair<Index, int>{900, 30000}));

// A reference that is not dense, for a matrix of many chunks.
TEST(BlockProduct, EqualsTheSerialProductOnAMesh) {
  const SymBlockMatrix A = random_matrix(make_pattern(30 * 30 * 30, grid_pairs(30, 30, 30)), 8);
  const VecX x = random_vector(3 * A.rows(), 9);
  VecX y(x.size()), expected = VecX::Zero(x.size());
  for (Index i = 0; i < A.rows(); ++i)
    for (std::int64_t k = A.pattern().row_begin[i]; k < A.pattern().row_begin[i + 1]; ++k) {
      const Index j = A.pattern().columns[k];
      const Eigen::Map<const Mat3> B(A.block(k));
      expected.segment<3>(3 * i) += B * x.segment<3>(3 * j);
      if (i != j) expected.segment<3>(3 * j) += B.transpose() * x.segment<3>(3 * i);
    }
  A.multiply(x.data(), y.data());
  EXPECT_LE((y - expected).lpNorm<Eigen::Infinity>(), 1e-14 * expected.lpNorm<Eigen::Infinity>());
}

TEST(BlockProduct, HasTheSameBitsForAnyThreads) {
  const SymBlockMatrix A = random_matrix(make_pattern(40 * 40 * 40, grid_pairs(40, 40, 40)), 10);
  const VecX x = random_vector(3 * A.rows(), 11);
  VecX y1(x.size()), y2(x.size());
  double dot1, dot2;
  {
    const ThreadLimit limit(1);
    dot1 = A.multiply_dot(x.data(), y1.data());
  }
  {
    const ThreadLimit limit(2);
    dot2 = A.multiply_dot(x.data(), y2.data());
  }
  EXPECT_TRUE(y1 == y2);
  EXPECT_EQ(dot1, dot2);
}

TEST(SymBlockMatrix, CopiesAreIndependent) {
  const SymBlockMatrix A = random_matrix(make_pattern(200, random_pairs(200, 1000, 12)), 13);
  const VecX x = random_vector(600, 14);
  VecX y(600), z(600);
  A.multiply(x.data(), y.data());
  SymBlockMatrix B = A;
  B.multiply(x.data(), z.data());
  EXPECT_TRUE(y == z);
  B.set_zero();
  B.multiply(x.data(), z.data());
  EXPECT_TRUE(z == VecX::Zero(600));
  A.multiply(x.data(), z.data());
  EXPECT_TRUE(y == z);
}

TEST(SymBlockMatrix, NewPatternStartsAtZero) {
  SymBlockMatrix A = random_matrix(make_pattern(50, random_pairs(50, 100, 15)), 16);
  A.set_pattern(make_pattern(30, random_pairs(30, 40, 17)));
  EXPECT_EQ(A.rows(), 30);
  EXPECT_EQ(A.values().size(), 9 * static_cast<std::size_t>(A.pattern().block_count()));
  for (double v : A.values()) ASSERT_EQ(v, 0.0);
}

TEST(SymBlockMatrix, ConstrainDecouplesFixedDofs) {
  SymBlockMatrix A = random_matrix(make_pattern(80, random_pairs(80, 400, 18)), 19);
  std::vector<char> fixed(240, 0);
  for (int k : {0, 1, 2, 10, 31, 32, 100, 239}) fixed[k] = 1;
  MatX expected = dense(A);
  for (int k = 0; k < 240; ++k) {
    if (!fixed[k]) continue;
    expected.row(k).setZero();
    expected.col(k).setZero();
    expected(k, k) = 7;
  }
  A.constrain(fixed, 7);
  EXPECT_TRUE(dense(A) == expected);
}

TEST(SymBlockMatrix, TakesAbout76BytesABlock) {
  SymBlockMatrix A(make_pattern(30 * 30 * 30, grid_pairs(30, 30, 30)));
  const VecX x = VecX::Zero(3 * A.rows());
  VecX y(x.size());
  A.multiply(x.data(), y.data());  // with the plan of the product
  EXPECT_LE(static_cast<double>(A.memory_bytes()), 86.0 * static_cast<double>(A.pattern().block_count()));
}

}  // namespace
}  // namespace sinew
