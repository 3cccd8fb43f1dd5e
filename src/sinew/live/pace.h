// When the next step is due, so that simulated time passes at most `speed` times as fast as that of the wall; and how
// many steps a second are made.
#pragma once

#include <deque>

#include "sinew/live/wall_clock.h"

namespace sinew {

class Pace {
 public:
  static constexpr double fastest = 1e3;  // simulated over wall time

  // speed: 0: as fast as it goes.
  Pace(double speed, WallNow now) : now_(std::move(now)), speed_(speed) {}

  double speed() const { return speed_; }
  void set_speed(double speed);

  // When the next step is due: after one of `step` [s] that has been made, some time from now, or at once.
  void plan_after(double step);
  void plan_in(WallClock::duration wait) { due_ = now_() + wait; }
  void plan_now() { due_ = {}; }
  WallClock::duration left() const;  // until the next step is due; 0: it is

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
