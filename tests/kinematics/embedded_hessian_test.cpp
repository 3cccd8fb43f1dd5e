#include "sinew/kinematics/embedded_hessian.h"

#include <random>

#include "support/dense_matrix.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

using test::dense_matrix;

// Vertices 0 to 5 with equations; 6, 7 and 8 follow some of them.
Embedding three_followers() {
  return Embedding(6, {{{0, 0.25}, {1, 0.75}}, {{1, -0.5}, {2, 0.5}, {3, 1.0}}, {{4, 1.0}}});
}

MatX weights(const Embedding& embedding, Index n) {
  MatX W = MatX::Zero(3 * (n + embedding.count()), 3 * n);
  for (Index v = 0; v < n + embedding.count(); ++v)
    embedding.for_each(v, [&](Index of, double w) { W.block<3, 3>(3 * v, 3 * of) = w * Mat3::Identity(); });
  return W;
}

TEST(EmbeddedHessian, IsTheTripleProduct) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  const Embedding embedding = three_followers();
  const std::vector<std::pair<Index, Index>> pairs = {{0, 6}, {6, 7}, {7, 8}, {5, 8}, {2, 3}, {1, 7}};
  SymBlockMatrix S(make_pattern(9, pairs));
  IndexSet acting;
  acting.reset(9);
  for (Index v = 6; v < 9; ++v) acting.insert(v);
  for (Index row = 0; row < 9; ++row)
    for (auto slot = S.pattern().row_begin[row]; slot < S.pattern().row_begin[row + 1]; ++slot) {
      Eigen::Map<Mat3> block(S.block(slot));
      for (double& value : block.reshaped()) value = number(random);
      if (S.pattern().columns[slot] == row) block = (block + block.transpose()).eval();
    }
  std::vector<std::pair<Index, Index>> expanded = pairs;
  for (Index v = 6; v < 9; ++v) expanded.emplace_back(v, v);
  expand_pairs(embedding, expanded);
  SymBlockMatrix H(make_pattern(6, expanded));
  EmbeddedHessian sum;
  for (int round = 1; round <= 2; ++round) {
    SymBlockMatrix taken = S;
    sum.add(embedding, acting, taken, H);
    const MatX W = weights(embedding, 6), expected = round * W.transpose() * dense_matrix(S) * W;
    EXPECT_LE((dense_matrix(H) - expected).norm(), 1e-14 * expected.norm());
    EXPECT_EQ(dense_matrix(taken).norm(), 0);
  }
}

}  // namespace
}  // namespace sinew
