#include "sinew/solver/newton.h"

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/solver/constrained_system.h"

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

NewtonDirection::NewtonDirection(std::unique_ptr<LinearSolver> solver) : solver_(std::move(solver)) {}

void NewtonDirection::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  if (prepared_ != potential.mesh_pattern()) {
    prepared_ = potential.mesh_pattern();
    solver_->prepare(prepared_);
  }
  skip_ = 0;
  next_skip_ = 1;
}

bool NewtonDirection::factorize(const Points& x, Projection projection, const Points& drift, Points& g, const Points& d,
                                DirectionResult& result) {
  potential_->derivatives(x, projection, g, H_);
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
  if (solver_->is_direct() && skip_ == 0) {
    ok = factorize(x, Projection::none, drift, g, d, result);
    if (!ok) {
      skip_ = next_skip_;
      next_skip_ = std::min(2 * next_skip_, 4);
    } else {
      next_skip_ = 1;
      result.exact = true;
    }
  } else if (skip_ > 0) {
    --skip_;
  }
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
  solve(result, d);
  return result;
}

DirectionResult NewtonDirection::correction(const Points& g, Points& d) {
  DirectionResult result;
  set_free(g, context_->fixed, rhs_);
  solve(result, d);
  return result;
}

// d at the free coordinates from rhs_ and the matrix at hand.
void NewtonDirection::solve(DirectionResult& result, Points& d) {
  Points solution = Points::Zero(3, H_.rows());
  Stopwatch watch;
  const LinearSolveReport report = solver_->solve(rhs_.data(), solution.data());
  result.linear_solve_seconds += watch.seconds();
  result.linear_iterations = report.iterations;
  if (!report.ok) {
    result.may_stop = false;  // a truncated solve is still a descent direction, but says nothing about convergence
    result.reason = report.reason;
  }
  take_free(solution, context_->fixed, d);
}

void NewtonDirection::accepted(double, double) {}

}  // namespace sinew
