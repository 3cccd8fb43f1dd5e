#include "sinew/kinematics/tied_hessian.h"

#include <random>

#include "support/dense_matrix.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

using test::dense_matrix;

// x = P q, with zeros for tied vertices among q.
MatX tie_matrix(const Embedding& ties, Index n) {
  MatX P = MatX::Zero(3 * n, 3 * n);
  for (Index v = 0; v < n; ++v)
    ties.for_each(v, [&](Index of, double w) { P.block<3, 3>(3 * v, 3 * of) += w * Mat3::Identity(); });
  return P;
}

void fill(SymBlockMatrix& H, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  for (Index row = 0; row < H.rows(); ++row)
    for (auto slot = H.pattern().row_begin[row]; slot < H.pattern().row_begin[row + 1]; ++slot) {
      Eigen::Map<Mat3> block(H.block(slot));
      for (double& value : block.reshaped()) value = number(random);
      if (H.pattern().columns[slot] == row) block = (block + block.transpose()).eval();
    }
}

TEST(TiedHessian, IsTheTripleProduct) {
  const auto ties = std::make_shared<const Embedding>(
      std::vector<Index>{1, 4, 7},
      std::vector<Embedding::Row>{{{0, 0.25}, {2, 0.75}}, {{2, -0.5}, {3, 0.5}, {8, 1.0}}, {{5, 1.0}}});
  std::vector<std::pair<Index, Index>> pairs = {{0, 1}, {1, 4}, {4, 6}, {2, 4}, {6, 7}, {3, 5}, {1, 7}};
  add_tied_pairs(*ties, pairs);
  SymBlockMatrix H(make_pattern(9, pairs));
  std::mt19937 random(3);
  const MatX P = tie_matrix(*ties, 9);
  TiedHessian tied;
  for (int round = 0; round < 2; ++round) {  // the second time as planned
    fill(H, random);
    const MatX expected = P.transpose() * dense_matrix(H) * P;
    tied.condense(ties, H);
    EXPECT_LE((dense_matrix(H) - expected).norm(), 1e-14 * expected.norm());
  }
  for (const Index v : ties->followers()) EXPECT_EQ(dense_matrix(H).middleRows(3 * v, 3).norm(), 0);
}

TEST(TiedHessian, PlansAnewForOtherTies) {
  const std::vector<std::pair<Index, Index>> own = {{0, 1}, {1, 2}, {0, 2}};
  SymBlockMatrix H(make_pattern(3, own));
  std::mt19937 random(3);
  TiedHessian tied;
  for (const Index follower : {2, 1}) {
    const auto ties = std::make_shared<const Embedding>(std::vector<Index>{follower},
                                                        std::vector<Embedding::Row>{{{0, 0.5}, {3 - follower, 0.5}}});
    fill(H, random);
    const MatX P = tie_matrix(*ties, 3), expected = P.transpose() * dense_matrix(H) * P;
    tied.condense(ties, H);
    EXPECT_LE((dense_matrix(H) - expected).norm(), 1e-14 * expected.norm());
  }
}

}  // namespace
}  // namespace sinew
