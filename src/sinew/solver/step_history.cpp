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
  recent_[count_++ % window] = record;
}

double StepHistory::share(StepLimit limit) const {
  if (size() == 0) return 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < size(); ++i) count += recent(i).limit == limit;
  return static_cast<double>(count) / static_cast<double>(size());
}

// Geometric mean of the steps that filters allowed: lengths range over many powers of ten.
double StepHistory::typical_step() const {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += log_of(recent(i).filter);
  return size() == 0 ? 1 : std::exp(sum / static_cast<double>(size()));
}

// Whether the geometric mean of the residual in the second half of the last iterations is below falling_factor times
// that in the first.
bool StepHistory::falling() const {
  if (size() < fewest) return false;
  const std::size_t half = size() / 2;
  double before = 0, after = 0;
  for (std::size_t i = 0; i < half; ++i) {
    before += log_of(recent(i).measure);
    after += log_of(recent(size() - 1 - i).measure);
  }
  return after - before < static_cast<double>(half) * std::log(falling_factor);
}

}  // namespace sinew
