// Tightens the tolerance of a step whose motion is small.
#pragma once

#include <algorithm>

namespace sinew {

// A slow step may lose at most this share of its motion. A larger loss in each of many steps would act as damping.
inline constexpr double lost_share = 0.01;
// Motion below this share of solver.tolerance is negligible.
inline constexpr double unseen_share = 1e-5;

// Returns the allowed remaining motion [m/s] at the end of a step from the tolerance and the motion so far [m/s].
// Without this rule, a beam that swings at a thousandth of the tolerance would stop.
inline double motion_tolerance(double tolerance, double motion) {
  return std::min(tolerance, std::max(lost_share * motion, unseen_share * tolerance));
}

}  // namespace sinew
