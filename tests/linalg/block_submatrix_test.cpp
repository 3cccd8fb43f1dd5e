// Rows and columns of a matrix against its dense entries.
#include "sinew/linalg/block_submatrix.h"

#include "linalg/linalg_fixtures.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(BlockSubmatrix, HasTheEntriesOfItsRows) {
  const std::vector<std::pair<Index, Index>> pairs = {{0, 2}, {0, 5}, {1, 3}, {2, 4}, {3, 5}, {4, 5}};
  SymBlockMatrix A(make_pattern(6, pairs));
  double value = 0;
  for (double& entry : A.values()) entry = ++value;
  const MatX whole = test::dense(A);
  SymBlockMatrix C;
  for (const std::vector<Index>& rows :
       std::vector<std::vector<Index>>{{}, {3}, {0, 2, 5}, {1, 3, 4, 5}, {0, 1, 2, 3, 4, 5}}) {
    principal_submatrix(A, rows, C);
    ASSERT_EQ(C.rows(), static_cast<Index>(rows.size()));
    if (rows.empty()) continue;
    std::vector<Index> entries;
    for (const Index r : rows)
      for (int k = 0; k < 3; ++k) entries.push_back(3 * r + k);
    EXPECT_EQ(test::dense(C), MatX(whole(entries, entries)));
  }
  // The same rows again: the pattern stays the same object.
  const auto pattern = C.shared_pattern();
  principal_submatrix(A, std::vector<Index>{0, 1, 2, 3, 4, 5}, C);
  EXPECT_EQ(C.shared_pattern(), pattern);
}

}  // namespace
}  // namespace sinew
