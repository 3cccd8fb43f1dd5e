#include "sinew/linalg/pcg_stop.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {

bool ResidualStop::begin(double bb, const PcgSums& start) {
  target_ = tolerance_ * std::sqrt(bb);
  return std::sqrt(start.rr) <= target_;
}

bool ResidualStop::reached(const PcgSums& sums, double) {
  return std::sqrt(sums.rr) <= target_;
}

bool DirectionStop::begin(double, const PcgSums& start) {
  gains_.clear();
  target_ = criteria_.energy_share * std::sqrt(std::max(0.0, criteria_.energy_before + start.rz));
  return start.rz == 0 || good_enough(start);
}

bool DirectionStop::reached(const PcgSums& sums, double gain) {
  if (criteria_.by_gains) gains_.push_back(gain);
  return good_enough(sums);
}

bool DirectionStop::good_enough(const PcgSums& sums) const {
  const double target = target_ * target_;
  const bool energy = sums.rz <= target && (!criteria_.by_gains || gains_to_come() <= target);
  if (!by_change()) return energy;
  const bool change = sums.zz <= criteria_.change_share * criteria_.change_share * sums.xx;
  return criteria_.both ? change && energy : change || energy;
}

// Iteration k gains a_k r_k^T z_k, and the energy of the error is the sum of the gains to come (Strakos and Tichy 2002,
// "On error estimation in the conjugate gradient method"). If they go on to fall as they fell from the window before
// last to the last one, they are a geometric series.
double DirectionStop::gains_to_come() const {
  constexpr std::size_t shortest = 4;
  const std::size_t count = gains_.size();
  if (count < 2 * shortest) return std::numeric_limits<double>::infinity();
  const std::size_t window = std::min(count / 2, shortest + count / 4);
  const auto sum = [&](std::size_t last) {
    return std::accumulate(gains_.end() - static_cast<long>(last + window), gains_.end() - static_cast<long>(last),
                           0.0);
  };
  const double now = sum(0), before = sum(window);
  return now < before ? now * now / (before - now) : std::numeric_limits<double>::infinity();
}

}  // namespace sinew
