#include "sinew/linalg/row_elimination.h"

#include "linalg/linalg_fixtures.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

using namespace test;

MatX principal(const SymBlockMatrix& A, const std::vector<Index>& rows) {
  const MatX all = dense(A);
  MatX part(3 * rows.size(), 3 * rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      part.block<3, 3>(3 * i, 3 * j) = all.block<3, 3>(3 * rows[i], 3 * rows[j]);
  return part;
}

// The factor is in single precision: its solutions are right to about that, times the condition of well-shifted rows.
TEST(RowElimination, SolvesForItsRowsAlone) {
  const SymBlockMatrix A = random_matrix(make_pattern(200, random_pairs(200, 1500, 1)), 2);
  const VecX r = random_vector(600, 3);
  RowElimination factor;
  for (const int stride : {1, 2, 7, 7, 3}) {
    std::vector<Index> rows;
    for (Index row = stride / 2; row < 200; row += stride) rows.push_back(row);
    ASSERT_TRUE(factor.compute(A, rows));
    VecX z = VecX::Constant(600, 5), b(3 * rows.size());
    factor.solve(r.data(), z.data());
    for (std::size_t k = 0; k < rows.size(); ++k) b.segment<3>(3 * k) = r.segment<3>(3 * rows[k]);
    const VecX expected = principal(A, rows).ldlt().solve(b);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      EXPECT_LT((z.segment<3>(3 * rows[k]) - expected.segment<3>(3 * k)).norm(), 1e-5 * expected.norm());
      z.segment<3>(3 * rows[k]).setConstant(5);
    }
    EXPECT_TRUE((z.array() == 5).all()) << "other rows changed";
  }
}

TEST(RowElimination, NoRowsAndIndefiniteOnesLeaveEverything) {
  SymBlockMatrix A = random_matrix(make_pattern(50, random_pairs(50, 200, 4)), 5);
  const VecX r = random_vector(150, 6);
  RowElimination factor;
  VecX z = VecX::Constant(150, 5);
  EXPECT_TRUE(factor.compute(A, {}));
  factor.solve(r.data(), z.data());
  EXPECT_TRUE((z.array() == 5).all());
  A.block(A.pattern().row_begin[20])[4] = -1;
  const std::vector<Index> with{3, 20, 40}, without{3, 21, 40};
  EXPECT_FALSE(factor.compute(A, with));
  factor.solve(r.data(), z.data());
  EXPECT_TRUE((z.array() == 5).all());
  EXPECT_TRUE(factor.compute(A, without));
  factor.solve(r.data(), z.data());
  EXPECT_FALSE((z.array() == 5).all());
}

// After a reset the bits are those of a new factor, whatever came before.
TEST(RowElimination, ForgetsWhenReset) {
  const SymBlockMatrix A = random_matrix(make_pattern(300, grid_pairs(10, 6, 5)), 7);
  const VecX r = random_vector(900, 8);
  std::vector<Index> some, many;
  for (Index row = 0; row < 300; ++row) {
    many.push_back(row);
    if (row % 5 != 1) some.push_back(row);
  }
  RowElimination used, fresh;
  ASSERT_TRUE(used.compute(A, many));
  used.reset();
  ASSERT_TRUE(used.compute(A, some));
  ASSERT_TRUE(fresh.compute(A, some));
  VecX a = VecX::Zero(900), b = a;
  used.solve(r.data(), a.data());
  fresh.solve(r.data(), b.data());
  EXPECT_TRUE(a == b);
}

}  // namespace
}  // namespace sinew
