#include "sinew/solver/stop_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/solver/minimizer.h"
#include "sinew/solver/motion_tolerance.h"

namespace sinew {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Relative residual of a body's normal forces at which they count as balanced. The next step's friction, which is
// lagged, has the same relative error.
constexpr double settled = 2e-3;
// Radius within which the least stiffness of contacts is taken, over the estimated distance to the solution.
constexpr double confirmed_reach = 4;
// Directions below the tolerance, after which forces that no longer come nearer to balance are rounding.
constexpr int patience = 5;
// A direction that E cannot resolve counts as zero below this many roundings of positions.
constexpr double floor_length = 64;

}  // namespace

bool StopTest::at_rounding(const LineSearchResult& search, bool small, double length, double position_rounding) const {
  // The direction decreases E in exact arithmetic: where no trial does, rounding hides it.
  if (small && (!search.accepted || search.at_floor)) return true;
  return search.at_floor && length <= floor_length * position_rounding;
}

// In statics a gradient at the rounding floor of E may still be large beside the forces: they must balance, or stop
// getting closer to it.
bool StopTest::may_end_at_rounding(Potential& potential, const DescentDirection& direction, const Points& x) {
  if (potential.has_inertia()) return true;
  potential.gradient(x, g_);
  const std::span<const char> flags = direction.balanced();
  return balance_.balanced(potential, x, g_, flags) || balance_.stalled(potential, g_, flags, 1);
}

// Whether the full step d that was taken to x ends the iterations. The simplified Newton correction
//   d+ = -H^-1 grad E(x),
// with the matrix H that d was found with, estimates the remaining distance, and the contraction theta = |d+| / |d|
// tells whether H is still a good approximation at x (Deuflhard 2004, "Newton methods for nonlinear problems",
// sections 2.1 and 3.3): |d+| / (1 - theta) bounds the distance if further corrections contract as this one. A secant
// or projected Hessian that is too stiff gives a large theta, however short d is; theta > 1 means that the step leads
// away from a saddle.
bool StopTest::solved(Potential& potential, DescentDirection& direction, const Points& x, const StepNorms& taken,
                      MinimizeReport& report) {
  potential.gradient(x, g_);
  correction_.setZero(3, x.cols());
  const DirectionResult result = direction.correction(x, g_, correction_);
  if (!result.ok) return (taken.of(mean_norm_)) < tolerance_;  // no correction: only the length of d is known
  report.add(result);
  const StepNorms norms = potential.norms(correction_);
  const double length = norms.of(mean_norm_);
  // The larger of the contractions in both norms: a few vertices may converge slowly, which the mean hides at first.
  const double theta = std::max(norms.mean / taken.mean, norms.max / taken.max);
  if (!result.may_stop || !std::isfinite(length)) return false;
  // Newton's direction at x itself is the distance to second order; else the corrections are a geometric series.
  const double remaining = result.exact ? length * result.remaining
                           : theta < 1  ? length * std::max(1 / (1 - theta), result.remaining)
                                        : infinity;
  const double largest_remaining = remaining * (length > 0 ? norms.max / length : 1);
  // Three conditions beside the distance: it is small beside the motion of the step, forces balance in statics, and
  // contact forces are settled.
  if (!(remaining < tolerance_ || norms.max <= report.position_rounding)) return false;
  if (!(remaining < of_motion(potential, x) || norms.max <= report.position_rounding)) return false;
  const std::span<const char> flags = direction.balanced();
  if (!balance_.balanced(potential, x, g_, flags) && !balance_.stalled(potential, g_, flags, patience)) return false;
  // Contacts are so stiff that a direction may be far below the tolerance while they are wrong by a multiple, and their
  // normal forces are what friction lags into the next step.
  if (!potential.contacts_balance(x, g_, direction.balanced(), settled, tolerance_) ||
      !contacts_confirm(potential, direction, x, largest_remaining, report))
    return false;
  report.residual = norms.max;
  report.measure = length;
  return true;
}

// The tolerance for the motion from the start of the step to x (motion_tolerance.h).
double StopTest::of_motion(const Potential& potential, const Points& x) const {
  if (!potential.has_inertia()) return tolerance_;
  return motion_tolerance(tolerance_, potential.motion(x).of(mean_norm_));
}

// Whether the solution is as near as the estimate `remaining` [m/s], for the fastest vertex. A contact that opens or
// begins to slip on the way to the solution loses its stiffness, and a direction found with this stiffness is shorter
// than the way by the ratio of the contact's stiffness to all else that holds the body, often inertia alone. The test
// solves for the direction with the least stiffness that contacts have within a radius around x: if it is not longer
// than the radius, the solution lies within it. The radius is a few times `remaining`. Costs a linear solve, and only
// where contacts soften.
bool StopTest::contacts_confirm(Potential& potential, DescentDirection& direction, const Points& x, double remaining,
                                MinimizeReport& report) {
  const double h = potential.step();
  const double radius = mean_norm_ ? confirmed_reach * remaining : std::min(confirmed_reach * remaining, tolerance_);
  if (!potential.contacts_soften(x, radius * h)) return true;
  potential.contact().set_radius(radius * h);
  correction_.setZero();
  const DirectionResult result = direction.direction(x, no_drift_, g_, correction_);
  potential.contact().set_radius(0);
  report.add(result);
  ++report.iterations;
  if (!result.ok || !result.may_stop) return false;
  const StepNorms norms = potential.norms(correction_);
  return norms.max <= radius && (!mean_norm_ || norms.mean <= tolerance_);
}

}  // namespace sinew
