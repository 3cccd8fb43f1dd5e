// Schedules steps so that simulated time advances at most `speed` times as fast as wall time. Measures the steps per
// second.
#pragma once

#include <deque>

#include "sinew/live/wall_clock.h"

namespace sinew {

class Pace {
 public:
  static constexpr double fastest = 1e3;  // largest speed

  // speed: 0 is unlimited.
  Pace(double speed, WallNow now) : now_(std::move(now)), speed_(speed) {}

  double speed() const { return speed_; }
  void set_speed(double speed);

  // Each sets when the next step is due: after the time of a step of `step` [s], after `wait`, or at once.
  void plan_after(double step);
  void plan_in(WallClock::duration wait) { due_ = now_() + wait; }
  void plan_now() { due_ = {}; }
  WallClock::duration left() const;  // time until the next step is due; 0: due now

  void count_step();
  double rate() const { return rate_; }  // steps per second of wall time, over the last second

 private:
  WallNow now_;
  double speed_;
  WallClock::time_point due_{};              // time of the next step; none: due at once
  std::deque<WallClock::time_point> steps_;  // times of the steps in the last second
  double rate_ = 0;
};

}  // namespace sinew
