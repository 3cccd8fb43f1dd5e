#include "sinew/material/lanes_math.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace sinew {
namespace {

double log1p_error(double y) {
  const long double exact = std::log1p(static_cast<long double>(y));
  const double value = log1p(Lanes(y))[0];
  return static_cast<double>(std::abs((value - exact) / exact));
}

TEST(LanesMath, Log1pIsAccurateEverywhere) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-40, 40), sign(-1, 1);
  double worst = 0;
  for (int k = 0; k < 200000; ++k) {
    double y = std::exp2(exponent(random));
    if (sign(random) < 0) y = -std::min(y, 1 - y * 1e-13);
    if (y <= -1) continue;
    worst = std::max(worst, log1p_error(y));
  }
  EXPECT_LT(worst, 6e-16);
  EXPECT_EQ(log1p(Lanes(0.0))[0], 0.0);
}

TEST(LanesMath, Expm1IsAccurateEverywhere) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> exponent(-60, 9.4), sign(-1, 1);
  double worst = 0;
  for (int k = 0; k < 200000; ++k) {
    const double x = std::copysign(std::exp2(exponent(random)), sign(random));
    const long double exact = std::expm1(static_cast<long double>(x));
    worst = std::max(worst, static_cast<double>(std::abs((expm1(Lanes(x))[0] - exact) / exact)));
  }
  EXPECT_LT(worst, 1e-15);
  EXPECT_EQ(expm1(Lanes(0.0))[0], 0.0);
  EXPECT_EQ(expm1(Lanes(-1e5))[0], -1.0);
  EXPECT_EQ(expm1(Lanes(1e5))[0], std::numeric_limits<double>::infinity());
}

TEST(LanesMath, RsqrtIsAccurateAndScalesWithPowersOfFour) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> exponent(-300, 300);
  for (int k = 0; k < 100000; ++k) {
    const double x = std::exp2(exponent(random));
    const long double exact = 1 / std::sqrt(static_cast<long double>(x));
    const double value = rsqrt(Lanes(x))[0];
    EXPECT_LT(std::abs((value - exact) / exact), 4.5e-16L);
    EXPECT_EQ(rsqrt(Lanes(x * 0x1p40))[0], value * 0x1p-20);
  }
}

}  // namespace
}  // namespace sinew
