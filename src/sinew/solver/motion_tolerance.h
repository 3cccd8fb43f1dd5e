// How well a step is solved that moves less than its tolerance.
#pragma once

#include <algorithm>

namespace sinew {

// A step may lose this share of its own motion, where that is less than solver.tolerance. It goes with each of many
// steps, as damping that nobody asked for.
inline constexpr double lost_share = 0.01;
// Motion that does not count, over solver.tolerance.
inline constexpr double unseen_share = 1e-5;

// What may be left to go at the end of a time step [m/s], for the tolerance and the motion of the step so far [m/s]:
// the tolerance says nothing of a beam that swings at a thousandth of it.
inline double motion_tolerance(double tolerance, double motion) {
  return std::min(tolerance, std::max(lost_share * motion, unseen_share * tolerance));
}

}  // namespace sinew
