// The resonator against the closed form of a damped oscillator.
#include "sinew/sound/resonator.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr double omega = 2 * M_PI * 440, damping = 30, dt = 1 / 44100.0;
const double omega_d = std::sqrt(omega * omega - damping * damping / 4);

// Response to a unit step of the force, from rest at zero.
double step_response(double t) {
  const double decay = std::exp(-damping * t / 2);
  return (1 - decay * (std::cos(omega_d * t) + damping / (2 * omega_d) * std::sin(omega_d * t))) / (omega * omega);
}

// The integral of the step response: that to a force that grows by 1 a second.
double ramp_response(double t) {
  const double s2 = omega * omega, a = damping / 2;
  // int exp(-a t) (cos w t + a/w sin w t) dt from 0 to t = (2 a - exp(-a t) (2 a cos w t + (a^2 - w^2)/w sin w t)) / s2
  const double integral = (2 * a - std::exp(-a * t) * (2 * a * std::cos(omega_d * t) +
                                                       (a * a - omega_d * omega_d) / omega_d * std::sin(omega_d * t))) /
                          s2;
  return (t - integral) / s2;
}

TEST(Resonator, FollowsARampAndAStepExactly) {
  // A ramp over one sample, then a step: p = min(t, dt) / dt.
  Resonator resonator(omega, damping, dt);
  resonator.advance(0, 1);
  for (int k = 1; k < 2000; ++k) {
    const double t = k * dt, expected = (ramp_response(t) - ramp_response(t - dt)) / dt;
    ASSERT_NEAR(resonator.displacement(), expected, 1e-12 / (omega * omega)) << k;
    resonator.advance(1, 1);
  }
}

TEST(Resonator, UnderAStepItTendsToTheStaticDisplacement) {
  Resonator resonator(omega, damping, dt);
  const double t = 1.5;
  const int n = static_cast<int>(std::lround(t / dt));
  for (int k = 0; k < n; ++k) resonator.advance(1, 1);  // a step: the force is 1 from the start
  EXPECT_NEAR(resonator.displacement() * omega * omega, 1, 1e-8);
  EXPECT_NEAR(resonator.displacement(), step_response(n * dt), 1e-12 / (omega * omega));
}

TEST(Resonator, StandsStillInEquilibrium) {
  Resonator resonator(omega, damping, dt);
  resonator.settle(3);
  EXPECT_NEAR(resonator.displacement(), 3 / (omega * omega), 1e-20);
  for (int k = 0; k < 100; ++k) resonator.advance(3, 3);
  EXPECT_NEAR(resonator.displacement(), 3 / (omega * omega), 1e-18);
  EXPECT_NEAR(resonator.acceleration(3).im, 0, 1e-10);
  EXPECT_NEAR(resonator.acceleration(3).re, 0, 1e-10);
}

// After an impulse: q'' + d q' + omega^2 q = 0 and the energy falls as the closed form says, never faster or slower.
TEST(Resonator, EnergyDecays) {
  Resonator resonator(omega, damping, dt);
  resonator.advance(0, 1 / dt);
  resonator.advance(1 / dt, 0);
  const auto amplitude = [&] { return std::hypot(resonator.acceleration(0).re, resonator.acceleration(0).im); };
  double before = amplitude();
  for (int k = 0; k < 5000; ++k) {
    resonator.advance(0, 0);
    ASSERT_NEAR(amplitude() / before, std::exp(-damping * dt / 2), 1e-12);
    before = amplitude();
    const double q = resonator.displacement(), v = resonator.velocity(0), a = resonator.acceleration(0).im;
    ASSERT_NEAR(a + damping * v + omega * omega * q, 0, 1e-9 * amplitude());
  }
}

TEST(Resonator, IsLinear) {
  Resonator one(omega, damping, dt), other(omega, damping, dt), sum(omega, damping, dt);
  for (int k = 0; k < 50; ++k) {
    const auto p = [](int n) { return std::sin(0.3 * n); };
    const auto r = [](int n) { return std::cos(1.7 * n * n); };
    one.advance(p(k), p(k + 1));
    other.advance(r(k), r(k + 1));
    sum.advance(2 * p(k) - 3 * r(k), 2 * p(k + 1) - 3 * r(k + 1));
  }
  EXPECT_NEAR(sum.displacement(), 2 * one.displacement() - 3 * other.displacement(), 1e-20);
}

}  // namespace
}  // namespace sinew
