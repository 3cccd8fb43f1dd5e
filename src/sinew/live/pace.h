// Schedules steps so that simulated time passes at most `speed` times as fast as wall time, and measures steps a
// second.
#pragma once

#include <deque>

#include "sinew/live/wall_clock.h"

namespace sinew {

class Pace {
 public:
  static constexpr double fastest = 1e3;  // simulated over wall time

  // speed: 0 is unlimited.
  Pace(double speed, WallNow now) : now_(std::move(now)), speed_(speed) {}

  double speed() const { return speed_; }
  void set_speed(double speed);

  // Set when the next step is due: after a step of `step` [s], after `wait`, or at once.
  void plan_after(double step);
  void plan_in(WallClock::duration wait) { due_ = now_() + wait; }
  void plan_now() { due_ = {}; }
  WallClock::duration left() const;  // until the next step is due, or 0

  void count_step();
  double rate() const { return rate_; }  // steps a second of wall time, over the last second

 private:
  WallNow now_;
  double speed_;
  WallClock::time_point due_{};              // none: at once
  std::deque<WallClock::time_point> steps_;  // of the last second
  double rate_ = 0;
};

}  // namespace sinew
