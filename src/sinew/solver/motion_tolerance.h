// The tolerance of a step whose motion is small.
#pragma once

#include <algorithm>

namespace sinew {

// A slow step may lose at most this share of its motion. A larger loss in each of many steps would act as damping.
inline constexpr double lost_share = 0.01;
// Negligible motion, in units of solver.tolerance.
inline constexpr double unseen_share = 1e-5;

// Returns the allowed remaining motion [m/s] at the end of a step from the tolerance and the motion so far [m/s]. The
// tolerance alone would stop a beam that swings at a thousandth of it.
inline double motion_tolerance(double tolerance, double motion) {
  return std::min(tolerance, std::max(lost_share * motion, unseen_share * tolerance));
}

}  // namespace sinew
