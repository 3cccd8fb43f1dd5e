// What load steps need beyond a minimisation: parts where they fail, ways out of unstable equilibria, limit points.
#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/dynamics/full_space_stepper.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/solver/constrained_system.h"

namespace sinew {
namespace {

// Iterations of a part of a load step, at most: one that takes more is better divided again.
constexpr int part_iterations = 60;
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

bool FullSpaceStepper::may_divide(const StepReport& report) const {
  return !context_.inertia && report.failed() && system_->setup.time.substeps > 1;
}

// A load step that failed is divided: parts are halved where they fail and doubled after two in a row that do not, as
// automatic load steps of finite element codes are. The step has 2^k parts of the smallest size, and larger ones begin
// at multiples of their size. Where the smallest part fails, the rest of the step is tried at once, so that it ends as
// near to an equilibrium as it gets. `from` becomes the state where the last part begins.
FullSpaceStepper::Solution FullSpaceStepper::solve_in_parts(State& from, StepReport& report) {
  const double start = state_.time, end = end_of_step(*system_, state_);
  const int all = static_cast<int>(std::bit_floor(static_cast<unsigned>(system_->setup.time.substeps)));
  int done = 0, size = all / 2, in_a_row = 0;
  if (limit_ >= 0) {  // and the load is still above it
    Solution there;
    report.substeps = 1;
    stay_below_limit(from, there, report);
    return there;
  }
  report.substeps = 0;
  MinimizerSettings short_trial = minimizer_settings(*system_);
  short_trial.max_iterations = std::min(short_trial.max_iterations, part_iterations);
  minimizer_.set(short_trial);
  bool friction_converged = true;
  while (true) {
    const int next = done + size;
    Solution part = solve(from, next == all ? end : start + (end - start) * next / all, report);
    if (!report.failed()) {
      ++report.substeps;
      report.friction_converged = friction_converged = report.friction_converged && friction_converged;
      if (next == all) return part;
      from = finish(from, part, report);
      from.step = state_.step;
      done = next;
      if (++in_a_row < 2 || done % (2 * size) != 0) continue;
      size *= 2;
      in_a_row = 0;
    } else if (size > 1) {
      size /= 2;
      in_a_row = 0;
    } else {
      ++report.substeps;
      if (near_limit_point(from, end)) {
        limit_ = from.time;
        stay_below_limit(from, part, report);
        return part;
      }
      minimizer_.set(minimizer_settings(*system_));
      part = solve(from, end, report);
      if (report.failed())
        report.reason +=
            fmt::format("; by parts it converges up to {:.3g} of the step", static_cast<double>(done) / all);
      return part;
    }
  }
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
  prepare_step(*system_, from, from.time, context_);
  potential_.begin_step(context_, from.contact_stiffness);
  potential_.derivatives(from.x, {.projection = Projection::none}, before, H);
  prepare_step(*system_, from, end, context_);
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
