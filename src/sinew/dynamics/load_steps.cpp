// What load steps need beyond a minimisation: what is done where their parts fail, ways out of unstable equilibria,
// limit points.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/stepper.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/multilevel/error_estimator.h"
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

// The estimator's basis depends on the stiffness: it is made again, as in a run that goes on from here.
void Stepper::adapt_estimator(Change change) {
  if (change == Change::materials || change == Change::fibers) {
    levels_ = std::make_shared<Shared<EstimatorLevels>>();
    estimator_.reset();
  }
  if (estimator_) estimator_->adapt(change);
}

// The parts of a load step that failed (step_parts.h). Where the smallest one fails, the rest of the step is tried at
// once, so that it ends as near to an equilibrium as it gets. `from` becomes the state where the last part begins.
void Stepper::solve_load_step(State& from, Solution& at, StepReport& report) {
  if (limit_ >= 0) return stay_below_limit(from, at, report);  // and the load is still above it
  StepParts parts(most_parts(), 2);
  if (solve_parts(parts, false, from, at, report)) return;
  ++report.substeps;
  const double end = end_of_step(*system_, state_);
  if (near_limit_point(from, end)) {
    limit_ = from.time;
    return stay_below_limit(from, at, report);
  }
  minimizer_.set(settings_(*system_));
  solve(from, end, 1, at, report);
  if (report.failed())
    report.reason += fmt::format("; in smaller parts, the step converges up to {:.3g} of its length", parts.done());
}

// A step along the path of equilibria (continuation.h). The first one begins with the equilibrium at the present load.
// `from` becomes the state where the step begins.
void Stepper::follow_path(State& from, Solution& at, StepReport& report) {
  if (!path_->begun()) {
    solve(from, from.time, 1, at, report);
    check_statics(at.x, report);
    if (report.failed())
      throw SimulationError(
          code::step_failed,
          fmt::format(
              "step {} cannot be computed: there is no equilibrium at load {:g}, where the path is to begin: {}",
              from.step + 1, from.time, report.reason));
    from.x = at.x;
    from.planes = at.planes;
    from.contact_stiffness = potential().contact().stiffness();
  }
  const auto check = [this] {
    if (interrupted_ && interrupted_()) throw Interrupted("the step was interrupted");
  };
  PathPoint end = path_->advance(*model_, from, settings_(*system_), check, report);
  at.x = std::move(end.x);
  at.planes = std::move(end.planes);
  at.value = potential().value(at.x);
}

// As DescentDirection::curvature(); by conjugate gradients with the multilevel preconditioner where the direction
// cannot tell.
Definiteness Stepper::curvature(const Points& x, Points& z) {
  const Definiteness found = model_->direction().curvature(x, z);
  IncrementalPotential* full = model_->full_space();
  if (found != Definiteness::unknown || !full) return found;
  if (!estimator_) estimator_ = std::make_shared<ErrorEstimator>(system_, levels_);
  estimator_->begin_step(context(), *full);
  return estimator_->curvature(x, z);
}

// An equilibrium in which E has negative curvature is not one that bodies stay in: they go along that direction, to
// either side, and on to another minimum.
void Stepper::leave_unstable(Solution& at, StepReport& report) {
  const std::string& wish = system_->setup.solver.instability;
  if (context().inertia || !report.converged || wish == "ignore") return;
  const Points before = at.x;
  Points z;
  for (int saddle = 0; saddle < most_saddles; ++saddle) {
    hold_.hold_least(at.x);
    const Definiteness found = curvature(at.x, z);
    hold_.release();
    if (found != Definiteness::indefinite) return;
    if (wish == "report") {
      report.instability = "reported";
      return;
    }
    if (!go_along(z, at)) return;
    hold_.next_round(at.x);
    at.value = minimize_with_lagging(at.x, at.planes, report);
    if (report.failed()) return;
    const double distance = potential().distance(before, at.x);
    if (distance > matters * system_->setup.solver.tolerance) report.instability = "followed";
  }
}

// Moves x along +-z (3 x columns of the potential) as far as E falls, from a part of the scene's size on and down by
// halves. False where it falls nowhere by more than its rounding.
bool Stepper::go_along(const Points& z, Solution& at) {
  const Index n = potential().columns();
  Index i = 0, k = 0;
  z.cwiseAbs().maxCoeff(&k, &i);
  // The largest component is positive: where both sides are alike, the same one each time.
  Points d;
  potential().direction_between(at.x, at.x, d);
  const auto set_direction = [&](double factor) {
    d.leftCols(n) = factor * z;
    potential().complete(d);
  };
  set_direction(1);
  const double length = std::copysign(first_length * system_->diagonal / potential().norms(d).max, z(k, i));
  const double E = potential().value(at.x).total(), noise = potential().value_rounding(at.x, potential().value(at.x));
  Points trial, best;
  for (int halving = 0; halving < LineSearch::max_halvings && best.size() == 0; ++halving) {
    double least = E - noise;
    for (const double side : {1.0, -1.0}) {
      set_direction(std::ldexp(side * length, -halving));
      if (potential().max_step(at.x, d, at.planes) < 1) continue;
      potential().go(at.x, d, trial);
      potential().set_contacts(trial, at.planes);
      const double value = potential().value(trial).total();
      if (value < least) {
        best = trial;
        least = value - noise;
      }
      potential().set_contacts(at.x, at.planes);
    }
  }
  if (best.size() == 0) return false;
  at.x = std::move(best);
  potential().set_contacts(at.x, at.planes);
  return true;
}

// Ends a step above a limit point where the last equilibrium was: beyond it bodies would fly apart. The potential is
// that of the step.
void Stepper::stay_below_limit(const State& from, Solution& at, StepReport& report) {
  at.x = from.x;
  at.planes = from.planes;
  potential().set_contacts(at.x, at.planes);
  at.value = potential().value(at.x);
  fail(Cause::limit_point,
       fmt::format("the bodies cannot carry this load: close to their present shape they have an equilibrium only up "
                   "to about {:.3g} of the full load (a limit point). Reduce the load below that",
                   limit_),
       at.x, report);
}

// Whether the load passes a limit point soon after the equilibrium `from`. With the Hessian H there and the force f
// that the rest of the step adds, bodies go by u = H^-1 f. On the way to a limit point the smallest eigenvalue of H
// goes to zero, and u, unless f is orthogonal to its eigenvector, to the direction of that: stiffness along u vanishes
// beside that of the bodies at rest. Afterwards the step is that from `from` to `end`.
bool Stepper::near_limit_point(const State& from, double end) {
  IncrementalPotential* full = model_->full_space();
  if (!full) return false;
  SymBlockMatrix H, K;
  Points before, after, rhs, u;
  model_->prepare(from, from.time, 1);
  full->derivatives(from.x, {.projection = Projection::none}, before, H);
  model_->prepare(from, end, 1);
  full->gradient(from.x, after);
  set_free(after - before, context().prescribed, rhs);
  if (rhs.isZero(0) || H.rows() > most_factored) return false;
  H.constrain(context().prescribed, mean_diagonal(H));
  SparseCholesky factor;
  if (!factor.compute(H)) return false;
  u.setZero(3, H.rows());
  factor.solve(rhs.data(), u.data());
  if (context().ties) context().ties->place(u);
  full->elastic_hessian_at_rest(K);
  Points Ku(3, H.rows());
  K.multiply(u.data(), Ku.data());
  return u.cwiseProduct(rhs).sum() < soft * u.cwiseProduct(Ku).sum();
}

}  // namespace sinew
