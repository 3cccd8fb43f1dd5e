// When steps are due, by a clock of the test.
#include "sinew/live/pace.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

using namespace std::chrono_literals;

struct TimedPace {
  explicit TimedPace(double speed) : pace(speed, [this] { return time; }) {}
  WallClock::time_point time{1h};
  Pace pace;
};

TEST(Pace, SimulatedTimePassesNoFasterThanAsked) {
  TimedPace timed(2);
  EXPECT_EQ(timed.pace.left(), 0ms);
  timed.pace.plan_after(0.1);  // from now on steps count: the next one is made at once
  EXPECT_EQ(timed.pace.left(), 0ms);
  for (int k = 0; k < 5; ++k) {
    timed.pace.plan_after(0.1);
    EXPECT_EQ(timed.pace.left(), 50ms);
    timed.time += 20ms;
    EXPECT_EQ(timed.pace.left(), 30ms);
    timed.time += 30ms;
    EXPECT_EQ(timed.pace.left(), 0ms);
  }
}

TEST(Pace, TwoStepsThatCameLateAreMadeUpFor) {
  TimedPace timed(1);
  timed.pace.plan_after(0.1);
  timed.time += 10s;
  for (int k = 0; k < 3; ++k) {
    timed.pace.plan_after(0.1);
    EXPECT_EQ(timed.pace.left(), 0ms) << k;
  }
  timed.pace.plan_after(0.1);
  EXPECT_EQ(timed.pace.left(), 100ms);
}

TEST(Pace, AnotherSpeedOrNoneActsAtOnce) {
  TimedPace timed(1e-9);
  timed.pace.plan_after(1);
  timed.pace.plan_after(1);
  EXPECT_EQ(timed.pace.left(), 1000000s);  // the longest wait
  timed.pace.set_speed(0);
  EXPECT_EQ(timed.pace.left(), 0s);
  timed.pace.plan_after(1);
  EXPECT_EQ(timed.pace.left(), 0s);
  timed.pace.plan_in(20ms);
  EXPECT_EQ(timed.pace.left(), 20ms);
  timed.pace.plan_now();
  EXPECT_EQ(timed.pace.left(), 0s);
}

TEST(Pace, RateIsThatOfTheLastSecond) {
  TimedPace timed(0);
  timed.pace.count_step();
  EXPECT_EQ(timed.pace.rate(), 0);
  for (int k = 0; k < 30; ++k) {
    timed.time += 100ms;
    timed.pace.count_step();
  }
  EXPECT_NEAR(timed.pace.rate(), 10, 1e-9);
  for (int k = 0; k < 30; ++k) {
    timed.time += 50ms;
    timed.pace.count_step();
  }
  EXPECT_NEAR(timed.pace.rate(), 20, 1e-9);
}

}  // namespace
}  // namespace sinew
