#include "sinew/live/pace.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr double longest_wait = 1e6;  // for a step [s]

}  // namespace

void Pace::set_speed(double speed) {
  speed_ = speed;
  plan_now();
}

void Pace::plan_after(double step) {
  if (!(speed_ > 0)) return;
  const auto now = now_();
  const std::chrono::duration<double> seconds(std::min(step / speed_, longest_wait));
  const auto interval = std::chrono::duration_cast<WallClock::duration>(seconds);
  // Steps that came late are made up for, two of them at most.
  due_ = std::max(due_ == WallClock::time_point{} ? now : due_ + interval, now - 2 * interval);
}

WallClock::duration Pace::left() const {
  if (due_ == WallClock::time_point{}) return {};
  return std::max(due_ - now_(), WallClock::duration{});
}

void Pace::count_step() {
  const auto now = now_();
  steps_.push_back(now);
  while (now - steps_.front() > std::chrono::seconds(1)) steps_.pop_front();
  const double span = std::chrono::duration<double>(now - steps_.front()).count();
  rate_ = span > 0 ? static_cast<double>(steps_.size() - 1) / span : 0;
}

}  // namespace sinew
