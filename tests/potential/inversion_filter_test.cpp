// The largest step without inversion: cubic roots against dense sampling.
#include "sinew/potential/inversion_filter.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(FirstCubicRoot, FindsKnownRoots) {
  EXPECT_TRUE(std::isinf(first_cubic_root(1, 0, 0, 0)));
  EXPECT_NEAR(first_cubic_root(1, -2, 0, 0), 0.5, 1e-3);
  // (1 - 2t)^3: a triple root.
  EXPECT_NEAR(first_cubic_root(1, -6, 12, -8), 0.5, 2e-3);
  // (1 - t/0.3)(1 - t/0.6)(1 - t/2): the smallest counts.
  const double a = 1 / 0.3, b = 1 / 0.6, c = 0.5;
  EXPECT_NEAR(first_cubic_root(1, -(a + b + c), a * b + b * c + c * a, -a * b * c), 0.3, 1e-3);
  // A root only beyond 1.
  EXPECT_TRUE(std::isinf(first_cubic_root(1, -0.5, 0, 0)));
  // A root just at 1 counts.
  EXPECT_NEAR(first_cubic_root(1, -1, 0, 0), 1, 2e-3);
}

TEST(FirstCubicRoot, NeverStepsPastASignChange) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  int with_root = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double c0 = std::abs(normal(random)), c1 = 3 * normal(random), c2 = 3 * normal(random),
                 c3 = 3 * normal(random);
    const double root = first_cubic_root(c0, c1, c2, c3);
    double sampled = INFINITY;
    for (int i = 1; i <= 2000 && std::isinf(sampled); ++i) {
      const double t = i / 2000.0;
      if (c0 + t * (c1 + t * (c2 + t * c3)) <= 0) sampled = t;
    }
    ASSERT_LE(root, sampled);
    if (std::isinf(sampled)) continue;
    ++with_root;
    // Not needlessly short either: the value at the root is small unless samples skipped a double root.
    ASSERT_GE(root, 0.99 * (sampled - 1 / 2000.0)) << c0 << " " << c1 << " " << c2 << " " << c3;
  }
  EXPECT_GT(with_root, 1000);
}

}  // namespace
}  // namespace sinew
