// Factors of matrices of dense blocks against those of the whole matrix.
#include "sinew/linalg/block_cholesky.h"

#include <gtest/gtest.h>

namespace sinew::block_cholesky_test {

// Blocks of different sizes, one of none, in a pattern with fill: a ring with a chord.
struct Example {
  std::vector<Index> sizes{3, 5, 0, 2, 4, 1};
  BlockCholesky matrix{sizes};
  MatX dense;

  Example() {
    std::srand(5);
    dense = MatX::Zero(matrix.size(), matrix.size());
    for (const auto& [i, j] : {std::pair(1, 0), {3, 1}, {4, 3}, {5, 4}, {5, 0}, {4, 0}, {2, 1}}) {
      MatX& block = matrix.block(i, j);
      block = MatX::Random(sizes[i], sizes[j]);
      dense.block(matrix.begin(i), matrix.begin(j), sizes[i], sizes[j]) = block;
      dense.block(matrix.begin(j), matrix.begin(i), sizes[j], sizes[i]) = block.transpose();
    }
    for (Index i = 0; i < matrix.block_count(); ++i) {
      const MatX half = MatX::Random(sizes[i], sizes[i]);
      MatX& block = matrix.block(i, i);
      block = half * half.transpose() + 10 * MatX::Identity(sizes[i], sizes[i]);
      dense.block(matrix.begin(i), matrix.begin(i), sizes[i], sizes[i]) = block;
      block.triangularView<Eigen::StrictlyUpper>().setConstant(1e300);  // does not count
    }
  }
};

TEST(BlockCholesky, SolvesAsTheWholeMatrix) {
  Example example;
  const VecX b = VecX::Random(example.matrix.size()), expected = example.dense.llt().solve(b);
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(example.matrix.factor());
    VecX x = b;
    example.matrix.solve(x);
    EXPECT_LT((x - expected).norm(), 1e-13 * expected.norm());
    x = b;
    EXPECT_NEAR(example.matrix.inverse_norm(x), std::sqrt(b.dot(expected)), 1e-13);
  }
  example.matrix.block(4, 4)(0, 0) = -1;
  EXPECT_FALSE(example.matrix.factor());
}

TEST(BlockCholesky, MultipliesAsTheWholeMatrix) {
  const Example example;
  const VecX x = VecX::Random(example.matrix.size()), expected = example.dense * x;
  VecX y(x.size());
  example.matrix.multiply(x, y);
  EXPECT_LT((y - expected).norm(), 1e-14 * expected.norm());
}

TEST(BlockCholesky, SolvesWithUnsymmetricBlocks) {
  Example example;
  std::vector<MatX> diagonal;
  example.matrix.diagonal_blocks(diagonal);
  for (Index i = 0; i < example.matrix.block_count(); ++i) {
    diagonal[i] += MatX::Random(example.sizes[i], example.sizes[i]);
    example.dense.block(example.matrix.begin(i), example.matrix.begin(i), example.sizes[i], example.sizes[i]) =
        diagonal[i];
  }
  const VecX b = VecX::Random(example.matrix.size()), expected = example.dense.partialPivLu().solve(b);
  example.matrix.factor_unsymmetric(diagonal);
  VecX x = b;
  example.matrix.solve_unsymmetric(x);
  EXPECT_LT((x - expected).norm(), 1e-13 * expected.norm());
}

// Blocks off the diagonal go with keep_diagonal().
TEST(BlockCholesky, KeepsTheDiagonalAlone) {
  Example example;
  example.matrix.keep_diagonal();
  ASSERT_TRUE(example.matrix.factor());
  VecX x = VecX::Ones(example.matrix.size());
  example.matrix.solve(x);
  const MatX first = example.dense.topLeftCorner(3, 3);
  EXPECT_LT((x.head(3) - first.llt().solve(VecX::Ones(3))).norm(), 1e-14);
}

}  // namespace sinew::block_cholesky_test
