#include "sinew/contact/barrier.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Barrier, ExactlyZeroFromTheDistanceOn) {
  const double h2 = 0.01;
  for (double d2 : {h2, h2 * 1.0000001, 1.0}) {
    EXPECT_EQ(barrier(d2, h2), 0);
    EXPECT_EQ(barrier_first(d2, h2), 0);
    EXPECT_EQ(barrier_derivatives(d2, h2).second, 0);
  }
  EXPECT_EQ(barrier(0, h2), std::numeric_limits<double>::infinity());
  const double below = h2 * (1 - 1e-6);  // third-order contact
  EXPECT_NEAR(barrier(below, h2) / (h2 * h2), 1e-18, 1e-23);
  EXPECT_NEAR(barrier_derivatives(below, h2).second, 6e-6, 1e-10);
}

TEST(Barrier, DerivativesAgainstExtendedPrecision) {
  const double h2 = 0.01;
  for (double ratio = 1e-18; ratio < 1; ratio *= 3.1) {
    const double d2 = ratio * h2;
    using Real = long double;
    const Real t = Real(d2) - Real(h2), log = std::log(Real(d2) / Real(h2));
    const BarrierDerivatives b = barrier_derivatives(d2, h2);
    const auto near = [](double value, Real expected) {
      EXPECT_NEAR(value, static_cast<double>(expected), 4e-15 * std::abs(static_cast<double>(expected)));
    };
    near(b.value, -t * t * log);
    near(b.first, -2 * t * log - t * t / d2);
    near(b.second, -2 * log - 4 * t / d2 + t * t / (Real(d2) * d2));
    EXPECT_EQ(b.value, barrier(d2, h2));
  }
}

TEST(Barrier, DerivativesAgainstDifferences) {
  const double h2 = 0.01;
  for (double ratio : {1e-8, 1e-3, 0.1, 0.4, 0.6, 0.95}) {
    const double d2 = ratio * h2, h = 1e-4 * std::min(d2, h2 - d2);
    EXPECT_NEAR(barrier_first(d2, h2), (barrier(d2 + h, h2) - barrier(d2 - h, h2)) / (2 * h),
                3e-7 * std::abs(barrier_first(d2, h2)));
    EXPECT_NEAR(barrier_derivatives(d2, h2).second, (barrier_first(d2 + h, h2) - barrier_first(d2 - h, h2)) / (2 * h),
                3e-7 * barrier_derivatives(d2, h2).second);
  }
}

TEST(Barrier, DecreasingAndConvexInTheDistance) {
  for (int i = 1; i < 1000; ++i) {
    const double d = i * 1e-3;
    const BarrierDerivatives b = barrier_derivatives(d * d, 1);
    EXPECT_LT(b.first, 0);
    EXPECT_GE(b.second, 0);
    EXPECT_GT(4 * d * d * b.second + 2 * b.first, 0) << d;  // second derivative by d
  }
}

}  // namespace
}  // namespace sinew
