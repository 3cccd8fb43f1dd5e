#include "sinew/linalg/row_elimination.h"

#include "linalg/linalg_fixtures.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

using namespace test;

struct Split {
  MatX JJ, JR, RR;
  std::vector<Index> J, R;  // scalar indices

  Split(const SymBlockMatrix& A, const std::vector<Index>& rows) {
    for (Index i = 0, k = 0; i < A.rows(); ++i) {
      const bool eliminated = k < static_cast<Index>(rows.size()) && rows[k] == i;
      k += eliminated;
      for (int a = 0; a < 3; ++a) (eliminated ? J : R).push_back(3 * i + a);
    }
    const MatX all = dense(A);
    JJ = all(J, J);
    JR = all(J, R);
    RR = all(R, R);
  }
};

std::vector<Index> every(int stride, Index count) {
  std::vector<Index> rows;
  for (Index row = stride / 2; row < count; row += stride) rows.push_back(row);
  return rows;
}

// Both halves against dense elimination. Factor and coupling are in single precision: solutions are right to about
// that, times the condition of these well-shifted rows.
TEST(RowElimination, HalvesEqualDenseOnes) {
  const SymBlockMatrix A = random_matrix(make_pattern(200, random_pairs(200, 1500, 1)), 2);
  const VecX r = random_vector(600, 3), start = random_vector(600, 4);
  RowElimination elimination;
  for (const int stride : {1, 2, 7, 7, 3}) {
    const std::vector<Index> rows = every(stride, 200);
    const Split split(A, rows);
    ASSERT_TRUE(elimination.compute(A, rows));
    ASSERT_FALSE(elimination.empty());
    VecX t = VecX::Constant(600, 5), z = start;
    elimination.forward(r.data(), t.data());
    elimination.backward(r.data(), z.data());
    const VecX inner = split.JJ.ldlt().solve(VecX(r(split.J)));
    EXPECT_TRUE(t(split.J).isZero(0));
    EXPECT_TRUE(z(split.R) == start(split.R)) << "other rows changed";
    EXPECT_LT((z(split.J) - split.JJ.ldlt().solve(VecX(r(split.J) - split.JR * start(split.R)))).norm(),
              1e-5 * z.norm());
    if (!split.R.empty()) {
      EXPECT_LT((t(split.R) - (r(split.R) - split.JR.transpose() * inner)).norm(), 1e-5 * r.norm());
    }
  }
}

// With the exact inverse of the Schur complement between them the halves are the inverse of A.
TEST(RowElimination, AroundTheSchurComplementIsTheInverse) {
  const SymBlockMatrix A = random_matrix(make_pattern(120, grid_pairs(6, 5, 4)), 8);
  const std::vector<Index> rows = every(3, 120);
  const Split split(A, rows);
  const VecX r = random_vector(360, 9);
  RowElimination elimination;
  ASSERT_TRUE(elimination.compute(A, rows));
  VecX t(360), z = VecX::Zero(360), Az(360);
  elimination.forward(r.data(), t.data());
  const MatX schur = split.RR - split.JR.transpose() * split.JJ.ldlt().solve(split.JR);
  const VecX solved = schur.ldlt().solve(VecX(t(split.R)));
  z(split.R) = solved;
  elimination.backward(r.data(), z.data());
  A.multiply(z.data(), Az.data());
  EXPECT_LT((Az - r).norm(), 1e-5 * r.norm());
}

TEST(RowElimination, NoRowsAndIndefiniteOnesEliminateNothing) {
  SymBlockMatrix A = random_matrix(make_pattern(50, random_pairs(50, 200, 4)), 5);
  RowElimination elimination;
  EXPECT_TRUE(elimination.compute(A, {}));
  EXPECT_TRUE(elimination.empty());
  A.block(A.pattern().row_begin[20])[4] = -1;
  const std::vector<Index> with{3, 20, 40}, without{3, 21, 40};
  EXPECT_FALSE(elimination.compute(A, with));
  EXPECT_TRUE(elimination.empty());
  EXPECT_TRUE(elimination.compute(A, without));
  EXPECT_FALSE(elimination.empty());
}

// After a reset the bits are those of a new one, whatever came before; and so they are when values change and rows
// do not.
TEST(RowElimination, ForgetsWhenReset) {
  const auto pattern = make_pattern(300, grid_pairs(10, 6, 5));
  const SymBlockMatrix A = random_matrix(pattern, 7), other = random_matrix(pattern, 12);
  const VecX r = random_vector(900, 8);
  std::vector<Index> some;
  for (Index row = 0; row < 300; ++row)
    if (row % 5 != 1) some.push_back(row);
  const auto result = [&](RowElimination& elimination) {
    VecX t(900), z = VecX::Zero(900);
    elimination.forward(r.data(), t.data());
    elimination.backward(t.data(), z.data());
    return VecX(t + z);
  };
  RowElimination used, fresh;
  ASSERT_TRUE(used.compute(A, every(1, 300)));
  used.reset();
  ASSERT_TRUE(used.compute(A, some));
  ASSERT_TRUE(fresh.compute(A, some));
  EXPECT_TRUE(result(used) == result(fresh));
  RowElimination third;
  ASSERT_TRUE(used.compute(other, some));
  ASSERT_TRUE(third.compute(other, some));
  EXPECT_TRUE(result(used) == result(third));
  EXPECT_FALSE(result(used) == result(fresh));
}

}  // namespace
}  // namespace sinew
