#include "sinew/solver/newton.h"

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/solver/constrained_system.h"
#include "sinew/solver/stop_test.h"

namespace sinew {
namespace {

void add_to_diagonal(SymBlockMatrix& H, double shift) {
  const auto& begin = H.pattern().row_begin;
  parallel_for(
      H.rows(),
      [&](std::size_t i) {
        double* block = H.block(begin[i]);
        for (int k = 0; k < 3; ++k) block[4 * k] += shift;
      },
      4096);
}

}  // namespace

NewtonDirection::NewtonDirection(std::unique_ptr<LinearSolver> solver)
    : solver_(std::move(solver)), trials_(solver_->is_direct()) {}

void NewtonDirection::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  if (prepared_ != potential.mesh_pattern()) {
    prepared_ = potential.mesh_pattern();
    solver_->prepare(prepared_);
  }
  trials_.begin_step();
}

bool NewtonDirection::factorize(const Points& x, Projection projection, const Points& drift, Points& g, const Points& d,
                                DirectionResult& result) {
  potential_->derivatives(x, {.projection = projection}, g, H_);
  const Index n = H_.rows();
  const auto& fixed = context_->fixed;
  free_right_hand_side(H_, fixed, drift, g, d, rhs_);
  // The rows of prescribed coordinates read d = d_prescribed.
  const double diagonal = mean_diagonal(H_);
  H_.constrain(fixed, diagonal);
  parallel_for(
      n,
      [&](std::size_t i) {
        for (int k = 0; k < 3; ++k)
          if (fixed[3 * i + k]) rhs_(k, i) = diagonal * d(k, i);
      },
      4096);
  const Stopwatch watch;
  const double symbolic_before = solver_->symbolic_seconds();
  bool ok = solver_->compute(H_);
  // Stiffness beyond 1 / eps of the mass: rounding alone makes the matrix indefinite.
  if (projection == Projection::psd) {
    for (double shift = 1e-13 * diagonal; !ok && shift < 1e-8 * diagonal; shift *= 100) {
      add_to_diagonal(H_, shift);
      ok = solver_->compute(H_);
      ++result.factorizations;
    }
  }
  result.linear_solve_seconds += watch.seconds();
  result.symbolic_seconds += solver_->symbolic_seconds() - symbolic_before;
  ++result.factorizations;
  return ok;
}

DirectionResult NewtonDirection::direction(const Points& x, const Points& drift, Points& g, Points& d) {
  DirectionResult result;
  bool ok = false;
  if (trials_.due()) {
    ok = factorize(x, Projection::none, drift, g, d, result) && (solver_->is_direct() || solve(result));
    trials_.tried(ok);
    result.exact = ok && solver_->is_direct();
  } else {
    trials_.passed_over();
  }
  const bool solved = ok && !solver_->is_direct();
  if (!ok) {
    ok = factorize(x, Projection::psd, drift, g, d, result);
    ++result.projected_factorizations;
  }
  if (!ok) {
    result.ok = false;
    result.overflow = !finite_diagonal(H_);
    result.reason =
        result.overflow ? "the Hessian is not finite"
        : context_->inertia
            ? "the projected Hessian is not positive definite: stiffnesses and masses are too far apart for "
              "double precision"
            : "the projected Hessian is not positive definite: some body can move freely, or stiffnesses "
              "are too far apart for double precision";
    return result;
  }
  if (!solved) truncate(result);
  if (!solver_->is_direct()) trials_.found(step_norms(solution_, H_.rows(), 1).mean);
  take_free(solution_, context_->fixed, d);
  return result;
}

DirectionResult NewtonDirection::correction(const Points&, const Points& g, Points& d) {
  DirectionResult result;
  set_free(g, context_->fixed, rhs_);
  truncate(result);
  take_free(solution_, context_->fixed, d);
  return result;
}

// solution_ from rhs_ and the matrix at hand; false when the solver did not come to its end.
bool NewtonDirection::solve(DirectionResult& result) {
  solution_.setZero(3, H_.rows());
  const Stopwatch watch;
  const LinearSolveReport report = solver_->solve(rhs_.data(), solution_.data());
  result.linear_solve_seconds += watch.seconds();
  result.linear_iterations += report.iterations;
  reason_ = report.reason;
  return report.ok;
}

// The same, where a truncated solution is the best there is: a descent direction that says nothing about convergence.
void NewtonDirection::truncate(DirectionResult& result) {
  if (solve(result)) return;
  result.may_stop = false;
  result.reason = reason_;
}

void NewtonDirection::accepted(const Points&, double alpha, double) {
  trials_.took(alpha);
}

}  // namespace sinew
