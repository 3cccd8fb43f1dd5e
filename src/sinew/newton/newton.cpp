#include "sinew/newton/newton.h"

#include <algorithm>
#include <utility>

#include "sinew/core/timer.h"
#include "sinew/solver/constrained_system.h"

namespace sinew {
namespace {

// Shifts s of H + s I as shares of the mean diagonal, for a projected Hessian that rounding has made indefinite.
constexpr double first_shift = 1e-13, last_shift = 1e-8;
// Iterations of conjugate gradients for the curvature, at most; twice as many as other solves have taken where that is
// more.
constexpr int curvature_iterations = 100;

// A direct solver as preconditioner.
class Factor : public Preconditioner {
 public:
  explicit Factor(LinearSolver& solver) : solver_(solver) {}
  bool compute(const NewtonSystem& system) override { return solver_.compute(system); }
  void apply(const double* r, double* z) const override { solver_.solve(r, z); }

 private:
  LinearSolver& solver_;
};

}  // namespace

NewtonDirection::NewtonDirection(std::unique_ptr<LinearSolver> solver, std::optional<Inexactness> inexactness)
    : solver_(std::move(solver)),
      pcg_(dynamic_cast<PcgSolver*>(solver_.get())),
      inexactness_(std::move(inexactness)),
      assembly_(solver_->sees_contacts()),
      hessian_policy_(solver_->is_direct()) {}

void NewtonDirection::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  assembly_.begin_step(context, potential);
  solver_->begin_step(assembly_.structure());
  hessian_policy_.begin_step();
  definite_ = false;
  most_linear_ = 0;
  if (inexactness_) inexactness_->begin_step(potential.system().setup.solver.tolerance * context.step);
}

// Factors H, or forms its preconditioner. The exact H fails if it is indefinite. The projected one is definite on
// paper; if stiffness exceeds inertia by 1 / eps and more, rounding hides inertia, and H + s I with the smallest
// sufficient s is taken instead.
bool NewtonDirection::compute(const NewtonSystem& system, DirectionResult& result) {
  bool definite = solver_->compute(system);
  ++result.factorizations;
  if (system.exact) return definite;
  const double diagonal = assembly_.diagonal();
  for (double shift = first_shift; !definite && shift < last_shift; shift *= 100) {
    assembly_.add_to_diagonal(shift * diagonal);
    definite = solver_->compute(system);
    ++result.factorizations;
  }
  return definite;
}

// solution_ from the system at hand; false where the solver did not come to its end.
bool NewtonDirection::solve(DirectionResult& result) {
  const Stopwatch watch;
  LinearSolveReport report;
  if (inexactness_) {
    report = inexactness_->solve(*solver_, assembly_.rhs(), solution_);
  } else {
    solution_.setZero(3, assembly_.rows());
    report = solver_->solve(assembly_.rhs().data(), solution_.data());
  }
  most_linear_ = std::max(most_linear_, report.iterations);
  result.levels.refinement += watch.seconds();
  result.levels.refinement_iterations += report.iterations;
  result.linear_iterations += report.iterations;
  result.may_stop = report.ok;
  result.reason = report.reason;
  return report.ok;
}

// One direction with the exact or the projected Hessian:
//
// 1. H and rhs = -g at the free coordinates              (newton/newton_assembly.h).
// 2. Factor or preconditioner; returns false if H is not positive definite or not finite.
// 3. H d = rhs.
//
// A truncated solution of the projected system is a descent direction all the same, since CG decreases the model from
// its first iteration on. It says nothing about convergence, and may_stop tells so.
bool NewtonDirection::attempt(Projection projection, const Points& x, const Points& drift, Points& g, const Points& d,
                              DirectionResult& result) {
  const NewtonSystem system = assembly_.assemble(x, projection, solver_->parts(assembly_.has_contacts()), drift, g, d);
  LevelReport& levels = result.levels;
  ++levels.hessian_updates;
  const Stopwatch watch;
  const double symbolic_before = solver_->symbolic_seconds();
  const bool definite = compute(system, result);
  const LevelWork work = solver_->level_work();
  levels.any |= work.any;
  levels.reduced_updates += work.renewed;
  levels.contact_updates += work.contacts;
  levels.galerkin += work.galerkin;
  levels.subspace += work.seconds;
  levels.refinement += watch.seconds() - work.seconds;
  result.symbolic_seconds += solver_->symbolic_seconds() - symbolic_before;
  if (!definite) return false;
  return solve(result) || !system.exact;
}

void NewtonDirection::fail(DirectionResult& result) const {
  result.ok = false;
  result.overflow = !assembly_.finite();
  result.reason = result.overflow ? "the Hessian is not finite"
                  : context_->inertia
                      ? "the projected Hessian is not positive definite: stiffnesses and masses are too far apart for "
                        "double precision"
                      : "the projected Hessian is not positive definite: some body can move freely, or stiffnesses "
                        "are too far apart for double precision";
}

// Newton's direction d = -H^{-1} grad E (theory, section 4): the exact Hessian where hessian_policy_ takes it for worth
// trying, and the projected one if that fails.
DirectionResult NewtonDirection::direction(const Points& x, const Points& drift, Points& g, Points& d) {
  DirectionResult result;
  const Stopwatch watch;
  const double assembly = potential_->assembly_seconds;
  const auto solve_seconds = [&] { return watch.seconds() - (potential_->assembly_seconds - assembly); };
  bool exact = false;
  const bool found = hessian_policy_.run([&](Projection projection) {
    exact = projection == Projection::none;
    if (attempt(projection, x, drift, g, d, result)) return true;
    if (exact) result.levels.reject(solve_seconds());
    if (!exact) ++result.projected_factorizations;
    return false;
  });
  if (found && !exact) ++result.projected_factorizations;
  result.linear_solve_seconds = solve_seconds();
  LevelReport& levels = result.levels;
  levels.other = result.linear_solve_seconds - levels.subspace - levels.refinement - levels.rejected;
  if (!found) {
    fail(result);
    return result;
  }
  result.exact = definite_ = exact && solver_->is_direct();
  if (!solver_->is_direct()) hessian_policy_.found(step_norms(solution_, assembly_.rows(), 1).mean);
  take_free(solution_, context_->prescribed, d);
  return result;
}

// Simplified Newton correction d+ = -H(x_before)^{-1} grad E(x) with the matrix at hand (Deuflhard 2004, section
// 2.1): a solve without assembly or factorisation, from which the stop test estimates the remaining distance.
DirectionResult NewtonDirection::correction(const Points&, const Points& g, Points& d) {
  DirectionResult result;
  const Stopwatch watch;
  set_free(g, context_->prescribed, rhs_);
  LinearSolveReport report;
  if (inexactness_) {
    report = inexactness_->correct(*solver_, rhs_, solution_);
  } else {
    solution_.setZero(3, rhs_.cols());
    report = solver_->solve(rhs_.data(), solution_.data());
  }
  result.linear_iterations = result.levels.refinement_iterations = report.iterations;
  result.levels.any = solver_->level_work().any;
  result.levels.refinement = result.linear_solve_seconds = watch.seconds();
  result.may_stop = report.ok;
  result.reason = report.reason;
  take_free(solution_, context_->prescribed, d);
  return result;
}

// Is H(x) positive definite, and if not, along which z is z^T H z < 0?
//
// 1. Yes, if the last direction came from a factor of the exact Hessian: x is a short step from there.
// 2. Direct solver: factor H(x); if that fails, CG with the projected factor as preconditioner finds z.
// 3. Iterative solver: CG with the preconditioner at hand, unless it cannot see soft modes, in which bodies buckle.
Definiteness NewtonDirection::curvature(const Points& x, Points& z) {
  if (definite_) return Definiteness::positive;
  if (!pcg_) return factored_curvature(x, z);
  if (!pcg_->preconditioner().sees_soft_motions()) return Definiteness::unknown;
  SymBlockMatrix H;
  Points g;
  potential_->derivatives(x, {.projection = Projection::none}, g, H);
  H.constrain(context_->prescribed, mean_diagonal(H));
  z.setZero(3, H.rows());
  return find_negative_curvature(H, pcg_->preconditioner(), std::max(curvature_iterations, 2 * most_linear_), z.data());
}

Definiteness NewtonDirection::factored_curvature(const Points& x, Points& z) {
  const Points none, at_rest = Points::Zero(3, x.cols());
  Points g;
  const NewtonSystem exact = assembly_.assemble(x, Projection::none, {}, none, g, at_rest);
  if (solver_->compute(exact)) return Definiteness::positive;
  const SymBlockMatrix H = exact.H;
  const NewtonSystem projected = assembly_.assemble(x, Projection::psd, {}, none, g, at_rest);
  DirectionResult unused;
  if (!compute(projected, unused)) return Definiteness::unknown;
  z.setZero(3, H.rows());
  return find_negative_curvature(H, Factor(*solver_), curvature_iterations, z.data());
}

void NewtonDirection::accepted(const Points&, double alpha, double model_error) {
  hessian_policy_.took(alpha);
  if (inexactness_) inexactness_->accepted(alpha, model_error);
}

}  // namespace sinew
