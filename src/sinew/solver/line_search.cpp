#include "sinew/solver/line_search.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/timer.h"

namespace sinew {
namespace {

// Relative change of E below which rounding hides whether a step decreases it.
constexpr double rounding_floor = 1e-14;

}  // namespace

// Prescribed coordinates are exactly on their targets for alpha = 1. Returns false where the filter shortens the way.
bool LineSearch::place_trial(Potential& potential, const Points& x, const Points& d,
                             const std::vector<PlaneState>& planes_trial, double alpha, bool open) {
  if (!potential.retract(x, d, alpha, planes_trial, x_trial_)) return false;
  if (alpha == 1 && open) potential.place_prescribed(x_trial_);
  return true;
}

// Whether the trial step decreases E enough: Armijo's condition
//   E(x + alpha d) - E(x) <= armijo alpha g^T d.
// Where the change of E is below its rounding, the slope at the trial decides: for a quadratic E along d Armijo's
// condition is equivalent to slope(alpha) <= (1 - 2 armijo) |slope(0)|, the approximate Wolfe condition (Hager and
// Zhang 2005, "A new conjugate gradient method with guaranteed descent and an efficient line search").
bool LineSearch::decreases(Potential& potential, const Points& d, const PotentialValue& E,
                           const PotentialValue& E_trial, const LineSearchResult& result) {
  const double change = E_trial.total() - E.total();
  if (change <= settings_.armijo * result.alpha * result.slope) return true;
  if (!(change <= result.noise)) return false;
  potential.gradient(x_trial_, g_trial_);
  return potential.slope(g_trial_, d) <= -(1 - 2 * settings_.armijo) * result.slope;
}

// Backtracking from the largest step that filters allow (Nocedal and Wright 2006, algorithm 3.1; IPC, algorithm 1):
//
// 1. alpha <- the largest step in (0, 1] along which nothing touches or inverts.
// 2. x_trial <- x + alpha d; its contacts are among the candidates that step 1 has found.
// 3. Accept if E decreases enough, else alpha <- alpha / 2 and on with 2. After the last halving nothing is changed.
// 4. Of a full step the error of the quadratic model, whose change is g^T d / 2 for a direction that minimises it.
LineSearchResult LineSearch::search(Potential& potential, const Aim& aim, const Points& g, const Points& d,
                                    double longest, Points& x, std::vector<PlaneState>& planes, PotentialValue& E) {
  const Stopwatch watch;
  const double collision_before = potential.collision_seconds;
  g_trial_.resize(3, potential.columns());
  LineSearchResult result;
  // Step 1.
  result.slope = potential.slope(g, d);
  result.noise = potential.value_rounding(x, E);
  result.filter = potential.max_step(x, d, aim.planes);
  result.alpha = std::min(result.filter, longest);
  result.limit = potential.step_limit();
  result.at_floor = !aim.waits && result.alpha == 1 && -result.slope <= 2 * rounding_floor * E.magnitude();
  potential.begin_search(x, d, result.slope);
  // Prescribed motion that goes ahead of the bodies would halve the gaps in each iteration, down to rounding. It may
  // come as close as closest_gap (1e-3 dhat); gaps that are smaller already it must not shrink.
  const ContactModel& contact = potential.contact();
  const double least_gap = aim.open && contact.filters()
                               ? std::min(contact.min_distance(), closest_gap * potential.system().contact_distance)
                               : 0;
  PotentialValue E_trial;
  std::vector<PlaneState> planes_trial;
  for (int halving = 0; halving <= max_halvings; ++halving, result.alpha *= 0.5) {
    // Step 2.
    ++result.steps;
    planes_trial = interpolate_all(planes, aim.planes, result.alpha);
    if (!place_trial(potential, x, d, planes_trial, result.alpha, aim.open)) continue;
    potential.follow_contacts(x_trial_, planes_trial);
    if (least_gap > 0 && contact.min_distance() < least_gap) {
      result.held = true;
      continue;
    }
    // Step 3.
    E_trial = potential.value(x_trial_);
    if (!std::isfinite(E_trial.total())) continue;
    result.finite = true;
    // While prescribed coordinates move towards their targets E may grow, since they do work on the bodies.
    result.accepted = aim.open || !settings_.enabled || decreases(potential, d, E, E_trial, result);
    if (result.accepted) break;
  }
  if (result.accepted) {
    // Step 4.
    result.held = false;
    const double predicted = 0.5 * result.slope;  // change of the quadratic model over its minimising direction
    if (result.alpha == 1 && !aim.open && predicted < 0)
      result.model_error =
          std::min(1.0, (std::abs(E_trial.total() - E.total() - predicted) + result.noise) / -predicted);
    potential.took(x, d, result.alpha);
    std::swap(x, x_trial_);
    planes = planes_trial;
    E = E_trial;
  } else {
    if (result.held) result.alpha = 0;
    potential.follow_contacts(x, planes);
    E = potential.value(x);
  }
  result.seconds = watch.seconds() - (potential.collision_seconds - collision_before);
  return result;
}

}  // namespace sinew
