// What load steps need beyond a minimisation: what is done where their parts fail, ways out of unstable equilibria,
// limit points.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/dynamics/full_space_stepper.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/solver/constrained_system.h"

namespace sinew {
namespace {

// Unstable equilibria of a load step that are left, at most.
constexpr int most_saddles = 5;
// How far bodies are moved from one at first, over the size of the scene.
constexpr double first_length = 0.05;
constexpr double matters = 100;  // tolerances: a longer way than that from an unstable equilibrium is told
// Stiffness along the way of the load over that at rest, below which it goes to zero: where load steps fail down to
// 1/64 of their size it is the square root of some such part.
constexpr double soft = 0.3;
constexpr Index most_factored = 50000;  // vertices of a factorisation that only names a failure

}  // namespace

// The parts of a load step that failed (step_parts.h). Where the smallest one fails, the rest of the step is tried at
// once, so that it ends as near to an equilibrium as it gets. `from` becomes the state where the last part begins.
FullSpaceStepper::Solution FullSpaceStepper::solve_load_step(State& from, StepReport& report) {
  if (limit_ >= 0) {  // and the load is still above it
    Solution there;
    stay_below_limit(from, there, report);
    return there;
  }
  StepParts parts(most_parts(), 2);
  if (std::optional<Solution> end = solve_parts(parts, from, report)) return *std::move(end);
  ++report.substeps;
  const double end = end_of_step(*system_, state_);
  if (near_limit_point(from, end)) {
    Solution there;
    limit_ = from.time;
    stay_below_limit(from, there, report);
    return there;
  }
  minimizer_.set(minimizer_settings(*system_));
  Solution rest = solve(from, end, 1, report);
  if (report.failed()) report.reason += fmt::format("; by parts it converges up to {:.3g} of the step", parts.done());
  return rest;
}

// As DescentDirection::curvature(); by conjugate gradients with the multilevel preconditioner where the direction
// cannot tell.
Definiteness FullSpaceStepper::curvature(const Points& x, Points& z) {
  const Definiteness found = direction_->curvature(x, z);
  if (found != Definiteness::unknown) return found;
  if (!estimator_) estimator_ = std::make_unique<ErrorEstimator>(system_);
  estimator_->begin_step(context_, potential_);
  return estimator_->curvature(x, z);
}

// An equilibrium in which E has negative curvature is not one that bodies stay in: they go along that direction, to
// either side, and on to another minimum.
void FullSpaceStepper::leave_unstable(Solution& at, StepReport& report) {
  const std::string& wish = system_->setup.solver.instability;
  if (context_.inertia || !report.converged || wish == "ignore") return;
  const Points before = at.x;
  Points z;
  for (int saddle = 0; saddle < most_saddles; ++saddle) {
    hold_.hold_least(potential_, at.x);
    const Definiteness found = curvature(at.x, z);
    potential_.pseudo_inertia().release();
    if (found != Definiteness::indefinite) return;
    if (wish == "report") {
      report.instability = "reported";
      return;
    }
    if (!go_along(z, at)) return;
    hold_.next_round(potential_, at.x);
    at.value = minimize_with_lagging(at.x, at.planes, report);
    if (report.failed()) return;
    const double way = (at.x - before).colwise().norm().maxCoeff();
    if (way > matters * system_->setup.solver.tolerance) report.instability = "followed";
  }
}

// Moves x along +-z (3 x dynamic_count) as far as E falls, from a part of the scene's size on and down by halves. False
// where it falls nowhere by more than its rounding.
bool FullSpaceStepper::go_along(const Points& z, Solution& at) {
  const Index n = system_->dynamic_count;
  Index i = 0, k = 0;
  z.cwiseAbs().maxCoeff(&k, &i);
  // The largest component is positive: where both sides are alike, the same one each time.
  const double length = std::copysign(first_length * system_->diagonal / z.colwise().norm().maxCoeff(), z(k, i));
  const double E = potential_.value(at.x).total(), noise = potential_.value_rounding(at.x, potential_.value(at.x));
  Points d = Points::Zero(3, at.x.cols());
  Points best;
  for (int halving = 0; halving < LineSearch::max_halvings && best.size() == 0; ++halving) {
    double least = E - noise;
    for (const double side : {1.0, -1.0}) {
      d.leftCols(n) = std::ldexp(side * length, -halving) * z;
      if (potential_.max_step(at.x, d, at.planes) < 1) continue;
      const Points trial = at.x + d;
      potential_.set_contacts(trial, at.planes);
      const double value = potential_.value(trial).total();
      if (value < least) {
        best = trial;
        least = value - noise;
      }
      potential_.set_contacts(at.x, at.planes);
    }
  }
  if (best.size() == 0) return false;
  at.x = std::move(best);
  potential_.set_contacts(at.x, at.planes);
  return true;
}

// Ends a step above a limit point where the last equilibrium was: beyond it bodies would fly apart. The potential is
// that of the step.
void FullSpaceStepper::stay_below_limit(const State& from, Solution& end, StepReport& report) {
  end = {from.x, from.planes, {}};
  potential_.set_contacts(end.x, end.planes);
  end.value = potential_.value(end.x);
  fail(Cause::limit_point,
       fmt::format("the load is above a limit point at about a factor of {:.3g} of the load: there is no equilibrium "
                   "nearby",
                   limit_),
       end.x, report);
}

// Whether the load passes a limit point soon after the equilibrium `from`. With the Hessian H there and the force f
// that the rest of the step adds, bodies go by u = H^-1 f. On the way to a limit point the smallest eigenvalue of H
// goes to zero, and u, unless f is orthogonal to its eigenvector, to the direction of that: stiffness along u vanishes
// beside that of the bodies at rest. Afterwards the step is that from `from` to `end`.
bool FullSpaceStepper::near_limit_point(const State& from, double end) {
  SymBlockMatrix H, K;
  Points before, after, rhs, u;
  prepare_step(*system_, from, from.time, 1, context_);
  potential_.begin_step(context_, from.contact_stiffness);
  potential_.derivatives(from.x, {.projection = Projection::none}, before, H);
  prepare_step(*system_, from, end, 1, context_);
  potential_.begin_step(context_, from.contact_stiffness);
  potential_.gradient(from.x, after);
  set_free(after - before, context_.fixed, rhs);
  if (rhs.isZero(0) || H.rows() > most_factored) return false;
  H.constrain(context_.fixed, mean_diagonal(H));
  SparseCholesky factor;
  if (!factor.compute(H)) return false;
  u.setZero(3, H.rows());
  factor.solve(rhs.data(), u.data());
  potential_.elastic_hessian(system_->rest, Projection::psd, K);
  Points Ku(3, H.rows());
  K.multiply(u.data(), Ku.data());
  return u.cwiseProduct(rhs).sum() < soft * u.cwiseProduct(Ku).sum();
}

}  // namespace sinew
