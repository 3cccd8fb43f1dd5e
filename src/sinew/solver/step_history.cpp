#include "sinew/solver/step_history.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

// A fall by this factor from one half of the window to the other is progress.
constexpr double falling_factor = 0.7;
constexpr std::size_t fewest = 4;

double log_of(double value) {
  return std::log(std::max(value, std::numeric_limits<double>::min()));
}

}  // namespace

void StepHistory::add(const IterationRecord& record) {
  contact_cuts_ += record.limit == StepLimit::contact;
  inversion_cuts_ += record.limit == StepLimit::inversion;
  shortest_step_ = std::min(shortest_step_, record.filter);
  recent_.push_back(record);
  if (recent_.size() > window) recent_.pop_front();
}

double StepHistory::share(StepLimit limit) const {
  if (recent_.empty()) return 0;
  const auto count =
      std::count_if(recent_.begin(), recent_.end(), [&](const IterationRecord& r) { return r.limit == limit; });
  return static_cast<double>(count) / static_cast<double>(recent_.size());
}

double StepHistory::typical_step() const {
  double sum = 0;
  for (const IterationRecord& record : recent_) sum += log_of(record.filter);
  return recent_.empty() ? 1 : std::exp(sum / static_cast<double>(recent_.size()));
}

// Whether the geometric mean of the residual in the second half of the last iterations is below falling_factor times
// that in the first.
bool StepHistory::falling() const {
  if (recent_.size() < fewest) return false;
  const std::size_t half = recent_.size() / 2;
  double before = 0, after = 0;
  for (std::size_t i = 0; i < half; ++i) {
    before += log_of(recent_[i].measure);
    after += log_of(recent_[recent_.size() - 1 - i].measure);
  }
  return after - before < static_cast<double>(half) * std::log(falling_factor);
}

}  // namespace sinew
