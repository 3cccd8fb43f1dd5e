// When an iteration that converges linearly may end: by the sizes of its directions.
#pragma once

#include <algorithm>
#include <limits>

namespace sinew {

// Estimates the distance to the solution from the sizes of the directions so far.
class RateOfConvergence {
 public:
  // The next direction; full: its step was taken in full.
  void add(double size, bool full) {
    const double q = before_ > 0 ? size / before_ : 1;
    slowest_ = std::max(q, last_);
    last_ = q;
    size_ = size;
    before_ = full ? size : 0;
    ++since_best_;
    if (size < (1 - least_gain) * best_) {
      best_ = size;
      since_best_ = 0;
    }
  }
  // Directions shrink by a factor q an iteration, the larger of the last two: after this one q / (1 - q) times it is
  // left. Where q is not known it is taken for 0.999.
  double left() const { return size_ * (slowest_ < 1 ? std::clamp(slowest_ / (1 - slowest_), 1.0, unknown) : unknown); }
  // Whether the directions are rounding: for twenty iterations none has been shorter than the shortest one by a
  // fiftieth, which those of a rate of 0.999 would be.
  bool stagnates() const { return since_best_ >= 20; }

 private:
  static constexpr double unknown = 1e3, least_gain = 0.02;
  double before_ = 0, last_ = 1, slowest_ = 1, size_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
  int since_best_ = 0;
};

}  // namespace sinew
