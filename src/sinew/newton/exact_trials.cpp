#include "sinew/newton/exact_trials.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr double slow_rate = 0.5;  // of the lengths of directions, from which it is worth a try
constexpr double cut_step = 0.25;  // of the line search, below which it is, too
constexpr int most_skipped = 4;    // directions after it was indefinite

}  // namespace

bool ExactTrials::due() const {
  return skip_ == 0 && (always_ || exact_ || stalls_ > 0 || last_step_ < cut_step);
}

void ExactTrials::tried(bool definite) {
  exact_ = definite;
  skip_ = definite ? 0 : next_skip_;
  next_skip_ = definite ? 1 : std::min(2 * next_skip_, most_skipped);
}

void ExactTrials::passed_over() {
  exact_ = false;
  if (skip_ > 0) --skip_;
}

void ExactTrials::found(double length) {
  const bool stalls = last_step_ == 1 && length > slow_rate * last_length_ && last_length_ > 0;
  stalls_ = stalls ? stalls_ + 1 : 0;
  last_length_ = length;
}

void ExactTrials::took(double step) {
  last_step_ = step;
}

}  // namespace sinew
