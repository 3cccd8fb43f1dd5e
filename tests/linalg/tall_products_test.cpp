#include "sinew/linalg/tall_products.h"

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

TEST(TallProducts, AreThoseOfDenseAlgebra) {
  for (const Index n : {1, 100, 2048, 2049, 9000}) {
    const MatX U = MatX::Random(n, 5), V = MatX::Random(n, 3), C = MatX::Random(5, 3);
    const VecX w = VecX::Random(n);
    const MatX expected = U.transpose() * w.asDiagonal() * V;
    EXPECT_LT((weighted_product(U, w, V) - expected).norm(), 1e-13 * n);
    EXPECT_LT((tall_product(U, C) - U * C).norm(), 1e-12 * n);
    const MatX gram = weighted_gram(U, w);
    EXPECT_EQ(gram, gram.transpose());
    MatX left = V;
    subtract_tall_product(U, C, left);
    EXPECT_LT((left - (V - U * C)).norm(), 1e-12 * n);
    const ThreadLimit one(1);
    EXPECT_EQ(gram, weighted_gram(U, w));
  }
}

}  // namespace
}  // namespace sinew
