// Forces of steps as forces between the steps.
#include "sinew/sound/excitation.h"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<double> steps(std::size_t count, double h) {
  std::vector<double> times(count + 1);
  for (std::size_t n = 0; n <= count; ++n) times[n] = static_cast<double>(n) * h;
  return times;
}

TEST(Excitation, OpeningKeepsWhatLasts) {
  const std::vector<double> f{0, 9, 0, 0, 2, 5, 3, 2, 0, -1, -4, -1, -1, 0};
  EXPECT_THAT(opening(f, 1), testing::ElementsAreArray(f));
  EXPECT_THAT(opening(f, 4), ElementsAre(0, 0, 0, 0, 2, 2, 2, 2, 0, -1, -1, -1, -1, 0));
  EXPECT_THAT(opening(std::vector<double>{3, 2}, 4), ElementsAre(2, 2));
}

TEST(Excitation, PeaksAreImpactsAndWhatStaysIsNot) {
  const double h = 1e-3;
  const std::vector<double> f{0, 0, 30, 10, 0, 0, 0, 5, 5, 5, 5, 5, 25, 5, 5, 5};
  const Excitation excitation(steps(f.size(), h), f, 2e-4);
  EXPECT_THAT(excitation.lasting(), ElementsAre(0, 0, 0, 0, 0, 0, 0, 5, 5, 5, 5, 5, 5, 5, 5, 5));
  ASSERT_EQ(excitation.impacts().size(), 2u);
  EXPECT_NEAR(excitation.impacts()[0].impulse, 40 * h, 1e-12);
  EXPECT_NEAR(excitation.impacts()[0].time, (30 * 2.5 + 10 * 3.5) / 40 * h, 1e-12);
  EXPECT_NEAR(excitation.impacts()[1].impulse, 20 * h, 1e-12);
  EXPECT_NEAR(excitation.impacts()[1].time, 12.5 * h, 1e-12);
}

// Products of such forces vanish to rounding.
TEST(Excitation, ForcesAsSmallAsNumbersGoEnd) {
  std::vector<double> f(12, 0.0);
  f[4] = 1e-200;
  f[8] = -5e-324;
  const Excitation excitation(steps(f.size(), 1e-3), f, 2e-4);
  ASSERT_EQ(excitation.impacts().size(), 1u);
  EXPECT_NEAR(excitation.impacts()[0].time, 4.5e-3, 1e-12);
}

TEST(Excitation, AForceThatStandsStillIsNoImpact) {
  const Excitation excitation(steps(20, 1e-3), std::vector<double>(20, -7), 2e-4);
  EXPECT_THAT(excitation.impacts(), IsEmpty());
  for (const double p : excitation.sample(0, 1 / 44100.0, 882)) ASSERT_EQ(p, -7);
}

TEST(Excitation, SlowForcesHaveNoImpactsOnTheirFlanks) {
  std::vector<double> f;
  for (int n = 0; n < 40; ++n) f.push_back(std::abs(n - 20) < 2 ? 18 : 20 - std::abs(n - 20));
  EXPECT_THAT(Excitation(steps(40, 1e-3), f, 2e-4).impacts(), IsEmpty());
}

TEST(Excitation, StepsThatResolveImpactsAreLeftAlone) {
  const std::vector<double> f{0, 3, 0};
  EXPECT_THAT(Excitation(steps(3, 1e-4), f, 2e-4).impacts(), IsEmpty());
  EXPECT_EQ(Excitation(steps(3, 1.1e-4), f, 2e-4).impacts().size(), 1u);
}

// The sum of p dt is that of f h, wherever the steps lie between the samples.
TEST(Excitation, KeepsMomentum) {
  const double dt = 1 / 44100.0;
  for (const double impact_time : {1e-6, 5e-5, 2e-4, 1e-3}) {
    for (const double h : {7.3e-4, 1e-3, 4.1e-3}) {
      std::vector<double> f(30, 0.0);
      f[11] = 3, f[12] = -8, f[20] = 1;
      const std::vector<double> p = Excitation(steps(30, h), f, impact_time).sample(0, dt, 10000);
      EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0) * dt, -4 * h, 1e-12 * h) << impact_time << " " << h;
    }
  }
}

TEST(Excitation, APulseIsARaisedCosine) {
  const double dt = 1e-6, tau = 2e-4;  // resolved
  std::vector<double> f(9, 0.0);
  f[4] = 2;
  const std::vector<double> p = Excitation(steps(9, 1e-3), f, tau).sample(0, dt, 9000);
  for (int k = 4350; k < 4650; ++k) {
    const double t = k * dt - 4.5e-3;
    const double expected = std::abs(t) < tau / 2 ? 2e-3 * (1 + std::cos(2 * M_PI * t / tau)) / tau : 0;
    ASSERT_NEAR(p[k], expected, 1e-3 * 2e-3 / tau) << k;
  }
}

TEST(Excitation, ScalesWithTheForce) {
  const std::vector<double> f{0, 4, 1, 1, 1, 1, 6, 0, -3, 0, 0, 2};
  std::vector<double> g;
  for (const double x : f) g.push_back(-2 * x);
  const auto p = Excitation(steps(f.size(), 1e-3), f, 2e-4).sample(0, 1 / 44100.0, 600);
  const auto q = Excitation(steps(f.size(), 1e-3), g, 2e-4).sample(0, 1 / 44100.0, 600);
  for (std::size_t k = 0; k < p.size(); ++k) ASSERT_DOUBLE_EQ(q[k], -2 * p[k]);
}

}  // namespace
}  // namespace sinew
