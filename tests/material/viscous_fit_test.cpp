// Prony series are found again from their own curves, with and without noise, and as far as curves determine them.
#include "sinew/material/viscous_fit.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew::test {
namespace {

const Viscosity three = {{0.03, 0.4}, {1.2, 0.7}, {60, 0.25}};
constexpr double at_rest = 2e5;

RelaxationCurve relaxation(double noise, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> of(0, noise);
  RelaxationCurve curve{"relaxation", {}, {}};
  for (double t = 1e-3; t < 2e3; t *= 1.25) {
    double factor = 1;
    for (const ViscousBranch& branch : three) factor += branch.modulus * std::exp(-t / branch.time);
    curve.time.push_back(t);
    curve.modulus.push_back(at_rest * factor * (1 + of(random)));
  }
  return curve;
}

DynamicCurve oscillation() {
  DynamicCurve curve{"oscillation", {}, {}, {}};
  for (double w = 1e-3; w < 1e3; w *= 1.3) {
    double storage = 1, loss = 0;
    for (const ViscousBranch& branch : three) {
      const double x = w * branch.time;
      storage += branch.modulus * x * x / (1 + x * x);
      loss += branch.modulus * x / (1 + x * x);
    }
    curve.frequency.push_back(w);
    curve.storage.push_back(at_rest * storage);
    curve.loss.push_back(at_rest * loss);
  }
  return curve;
}

void expect_three(const ViscousFit& fit, double tolerance) {
  EXPECT_NEAR(fit.modulus, at_rest, tolerance * at_rest);
  ASSERT_EQ(fit.viscosity.size(), 3u);
  for (int b = 0; b < 3; ++b) {
    EXPECT_NEAR(fit.viscosity[b].time, three[b].time, tolerance * three[b].time) << b;
    EXPECT_NEAR(fit.viscosity[b].modulus, three[b].modulus, tolerance * three[b].modulus) << b;
  }
}

TEST(ViscousFit, FindsTheSeriesOfExactCurves) {
  expect_three(fit_viscosity({relaxation(0)}, {}, 3), 1e-6);
  expect_three(fit_viscosity({}, {oscillation()}, 3), 1e-6);
  expect_three(fit_viscosity({relaxation(0)}, {oscillation()}, 3), 1e-6);
}

// Within three standard deviations that it tells, and these have the size of the noise.
TEST(ViscousFit, KnowsHowSureItIs) {
  int inside = 0, numbers = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const ViscousFit fit = fit_viscosity({relaxation(0.01, seed)}, {}, 3);
    EXPECT_NEAR(fit.rms[0], 0.01, 0.004);
    EXPECT_LT(fit.modulus_deviation, 0.01);
    ASSERT_EQ(fit.viscosity.size(), 3u);
    for (int b = 0; b < 3; ++b) {
      inside += std::abs(std::log(fit.viscosity[b].time / three[b].time)) < 3 * fit.deviations[b].time;
      inside += std::abs(std::log(fit.viscosity[b].modulus / three[b].modulus)) < 3 * fit.deviations[b].modulus;
      numbers += 2;
    }
  }
  EXPECT_GE(inside, 0.95 * numbers);
}

// More branches than there are follow the curve as well.
TEST(ViscousFit, DefaultsToOneBranchADecade) {
  const ViscousFit fit = fit_viscosity({relaxation(0)}, {}, {});
  EXPECT_LE(fit.viscosity.size(), 6u);
  EXPECT_LT(fit.rms[0], 1e-3);
  for (const ViscousBranch& branch : fit.viscosity) EXPECT_GT(branch.modulus, 0);
}

TEST(ViscousFit, RefusesCurvesWithoutRelaxation) {
  RelaxationCurve rising{"rising", {0.1, 1, 10, 100}, {1, 2, 3, 4}};
  EXPECT_THROW(fit_viscosity({rising}, {}, 1), InputError);
  RelaxationCurve once{"once", {1, 1, 1}, {3, 2, 1}};
  EXPECT_THROW(fit_viscosity({once}, {}, 1), InputError);
  RelaxationCurve few{"few", {0.1, 1, 10}, {3, 2, 1}};
  EXPECT_THROW(fit_viscosity({few}, {}, 2), InputError);
}

}  // namespace
}  // namespace sinew::test
