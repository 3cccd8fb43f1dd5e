#include "sinew/linalg/aggregation.h"

#include "linalg/spring_lattice.h"
#include <gtest/gtest.h>

#include "sinew/linalg/block_rows_of.h"

namespace sinew {
namespace {

using namespace test;

TEST(Aggregation, CoversAllRowsWithManyInEach) {
  const SpringLattice lattice = spring_lattice(20, 20, 20, false);
  const BlockRows<double, 3, 3> A = block_rows_of(lattice.A, {});
  const std::vector<float> size(A.column.size(), 1.0f);
  const Aggregates found = aggregate(A.begin, A.column, size, 0.1, 2);
  std::vector<int> members(static_cast<std::size_t>(found.count), 0);
  for (const Index a : found.of) {
    ASSERT_GE(a, 0);
    ASSERT_LT(a, found.count);
    ++members[static_cast<std::size_t>(a)];
  }
  for (const int count : members) EXPECT_GE(count, 1);
  EXPECT_LT(found.count, 8000 / 10);
}

// Two chains of strong couplings, joined by a weak one.
TEST(Aggregation, DoesNotJoinRowsAcrossWeakCouplings) {
  const Index n = 20;
  std::vector<std::int64_t> begin{0};
  std::vector<Index> column;
  std::vector<float> size;
  for (Index i = 0; i < n; ++i) {
    for (Index j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) {
      column.push_back(j);
      size.push_back(i / 10 == j / 10 ? 1.0f : 0.01f);
    }
    begin.push_back(static_cast<std::int64_t>(column.size()));
  }
  const Aggregates found = aggregate(begin, column, size, 0.1, 2);
  for (Index i = 0; i < 10; ++i)
    for (Index j = 10; j < n; ++j)
      EXPECT_NE(found.of[static_cast<std::size_t>(i)], found.of[static_cast<std::size_t>(j)]);
}

// A chain of five rows, and three rows without couplings.
TEST(Aggregation, RowsWithoutCouplingsShareAnAggregate) {
  std::vector<std::int64_t> begin{0};
  std::vector<Index> column;
  for (Index i = 0; i < 8; ++i) {
    for (Index j = std::max(0, i - 1); j <= std::min(4, i + 1) && i < 5; ++j) column.push_back(j);
    if (i >= 5) column.push_back(i);
    begin.push_back(static_cast<std::int64_t>(column.size()));
  }
  const std::vector<float> size(column.size(), 1.0f);
  const Aggregates found = aggregate(begin, column, size, 0.1, 2);
  EXPECT_EQ(found.of[5], found.of[6]);
  EXPECT_EQ(found.of[5], found.of[7]);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NE(found.of[i], found.of[5]);
  for (const Index a : found.of) EXPECT_LT(a, found.count);
}

}  // namespace
}  // namespace sinew
