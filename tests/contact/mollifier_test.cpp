#include "sinew/contact/mollifier.h"

#include "contact/stencil_cases.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Mollifier, ValuesAndSmoothness) {
  const double eps = 0.25;
  EXPECT_EQ(mollifier(0, eps).value, 0);
  EXPECT_EQ(mollifier(eps, eps).value, 1);
  EXPECT_EQ(mollifier(2 * eps, eps).first, 0);
  const double below = eps * (1 - 1e-9);
  EXPECT_NEAR(mollifier(below, eps).value, 1, 1e-15);
  EXPECT_NEAR(mollifier(below, eps).first, 0, 1e-7);
  EXPECT_EQ(mollifier_threshold(4, 9), 1e-3 * 36);
  for (double c : {0.01, 0.1, 0.2}) {
    const double h = 1e-3;
    EXPECT_NEAR(mollifier(c, eps).first, (mollifier(c + h, eps).value - mollifier(c - h, eps).value) / (2 * h), 1e-11);
    EXPECT_NEAR(mollifier(c, eps).second, (mollifier(c + h, eps).first - mollifier(c - h, eps).first) / (2 * h), 1e-10);
  }
}

TEST(Mollifier, CrossDerivativesAgainstDifferences) {
  std::mt19937 random(5);
  for (int i = 0; i < 50; ++i) {
    StencilPoints x;
    for (int k = 0; k < 4; ++k) x.col(k) = test::random_vector(random);
    if (i % 2) x.col(3) = x.col(2) + (x.col(1) - x.col(0)) + test::random_vector(random, 1e-3);
    const Vec12 dg = test::difference_gradient(edges_cross2, x, 0.05);  // a quartic: exact but for rounding
    const Mat12 dH = test::difference_jacobian(edges_cross2_gradient, x, 0.05);
    EXPECT_LE((edges_cross2_gradient(x) - dg).norm(), 1e-12);
    EXPECT_LE((edges_cross2_hessian(x) - dH).norm(), 1e-11);
    EXPECT_EQ((edges_cross2_hessian(x) - edges_cross2_hessian(x).transpose()).norm(), 0);
  }
}

}  // namespace
}  // namespace sinew
