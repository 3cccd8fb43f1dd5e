#include "sinew/quasi_newton/quasi_newton.h"

#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/potential/inertia.h"
#include "sinew/solver/constrained_system.h"

namespace sinew {
namespace {

// Symbols: A = M + a h^2 L the constant matrix (projective_matrix.h), B_0 the first inverse Hessian (A^-1 by default),
// B that of L-BFGS from B_0 and the pairs s = x_{k+1} - x_k, y = grad E(x_{k+1}) - grad E(x_k); d = -B grad E.

constexpr int rate_windows[] = {4, 8};  // numbers of iterations over which the rate is measured; the slower rate counts
// Largest contraction q that is believed: 1 / (1 - q) is then at most 1000.
constexpr double slowest_rate = 0.999;
constexpr int chebyshev_delay = 10;  // iterations without extrapolation (Wang 2015)
// Error of a Newton direction over its length, in the energy norm. Soft motions are long for their energy: a direction
// that may end the step is solved well.
constexpr double following_error = 0.1, ending_error = 0.01;

double inner_product(const Points& a, const Points& b) {
  return parallel_sum(a.cols(), [&](std::size_t i) { return a.col(i).dot(b.col(i)); });
}

}  // namespace

QuasiNewtonDirection::QuasiNewtonDirection(std::shared_ptr<const System> system, const Preparation& prepared)
    : system_(std::move(system)),
      setup_(system_->setup.solver.quasi_newton),
      matrix_(*system_, setup_.low, setup_.high, prepared.projective),
      rotations_(*system_),
      history_(setup_.acceleration == "lbfgs" ? setup_.history : 0),
      first_([this](const Points& q, Points& r) { solve_first(q, r); }),
      newton_(matrix_) {}

void QuasiNewtonDirection::adapt(Change change) {
  newton_.adapt(change);
  // Tension is part of the Hessian at rest, and not of the laplacian.
  if (change == Change::fibers && (setup_.initial == "rest" || setup_.initial == "warped")) factor_.reset();
  if (change != Change::materials) return;
  matrix_.forget_materials();
  factor_.reset();
}

// Forgets the secant pairs: they belong to the potential of the last step.
void QuasiNewtonDirection::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  history_.clear();
  known_ = plain_ = wants_newton_ = was_newton_ = has_first_ = false;
  next_.resize(3, 0);
  newton_.begin_step(context, potential);
  iteration_ = 0;
  omega_ = 1;
  decrements_.clear();
  rotations_.begin_step();
  x_before_.resize(3, 0);
  kept_contacts_.resize(3, 0);
}

// A change of the set of contacts between two gradients is not curvature: y takes both gradients with the earlier set,
// by y += contact gradient of the earlier set at x - that of the present set (theory, section 7).
void QuasiNewtonDirection::subtract_contact_change(const Points& x) {
  contacts_.setZero(3, kept_contacts_.cols());
  potential_->add_contact_gradient(x, potential_->contact().planes(), contacts_);
  parallel_for(
      kept_contacts_.cols(),
      [&](std::size_t i) {
        for (int k = 0; k < 3; ++k)
          if (!context_->prescribed[3 * i + k]) y_(k, i) += kept_contacts_(k, i) - contacts_(k, i);
      },
      4096);
}

// Adds the secant pair (s, y) of the last two iterates, and keeps x and its gradient for the next pair. Prescribed
// coordinates are left out.
void QuasiNewtonDirection::learn(const Points& x, const Points& g) {
  const Index n = system_->dynamic_count;
  if (known_) {
    s_.resize(3, n);
    y_.resize(3, n);
    parallel_for(
        n,
        [&](std::size_t i) {
          for (int k = 0; k < 3; ++k) {
            const bool free = !context_->prescribed[3 * i + k];
            s_(k, i) = free ? x(k, i) - x_(k, i) : 0;
            y_(k, i) = free ? g(k, i) - g_(k, i) : 0;
          }
        },
        4096);
    if (kept_contacts_.cols() > 0) subtract_contact_change(x);
    history_.add(s_, y_);
  }
  x_.resize(3, n);
  g_.resize(3, n);
  parallel_for(
      n,
      [&](std::size_t i) {
        x_.col(i) = x.col(i);
        g_.col(i) = g.col(i);
      },
      4096);
  known_ = true;
}

// r = A_0^{-1} q, the initial inverse Hessian of L-BFGS (QN, algorithm 2, line 7):
//
//   "laplacian": A_0 = M + a h^2 L, with the rotations of parts beside it (quasi_newton/part_rotations.h),
//   "rest":      A_0 = M + a h^2 K(X)                                  (QN, section 5, for comparison),
//   "warped":    A_0 = R (M + a h^2 K(X)) R^T, R the rotations of vertices at the step's first iterate
//                (quasi_newton/vertex_rotations.h)                     (QN, section 5, for comparison),
//   "step":      A_0 = M + a h^2 K(x) at the step's first iterate      (QN, section 5, for comparison),
//   "identity":  A_0 = (y^T y) / (s^T y) I                             (QN, equation 12, for comparison).
//
// Equation 12 is printed with the quotient inverted: s^T y / y^T y is the scale of the inverse Hessian.
bool QuasiNewtonDirection::solve_first(const Points& q, Points& r) {
  if (factor_) {
    r.resize(3, q.cols());
    if (setup_.initial != "warped") return factor_->solve(q.data(), r.data()).ok;
    warp_.apply_transposed(q, warped_);
    if (!factor_->solve(warped_.data(), r.data()).ok) return false;
    warp_.apply(r, r);
    return true;
  }
  if (setup_.initial == "identity") {
    // Before the first pair the masses serve, which have the right units.
    const double scale = history_.scale();
    r = q;
    parallel_for(
        q.cols(), [&](std::size_t i) { r.col(i) *= scale > 0 ? scale : 1 / system_->mass[i]; }, 4096);
    return true;
  }
  matrix_.solve(q, r);
  if (setup_.rotations && known_) rotations_.add(x_, q, r);
  return true;
}

// r = B q: with the secant pairs around B_0, or B_0 alone.
void QuasiNewtonDirection::solve(Points& q, Points& r) {
  if (plain_) {
    solve_first(q, r);
  } else {
    history_.apply(first_, q, r);
  }
}

// Factors the projected Hessian M + a h^2 K as B_0^-1, with K at rest or at the step's first iterate x, and finds the
// rotations that warp it; for comparison.
bool QuasiNewtonDirection::factor_hessian(const Points& x, DirectionResult& result) {
  const bool warped = setup_.initial == "warped", at_rest = warped || setup_.initial == "rest";
  if (warped) warp_.set(*system_, x, context_->prescribed);
  if (at_rest && factor_ && factor_scale_ == context_->scale && factor_fixed_ == context_->prescribed) return true;
  factor_scale_ = context_->scale;
  factor_fixed_ = context_->prescribed;
  if (at_rest) {
    potential_->elastic_hessian_at_rest(hessian_);
  } else {
    potential_->elastic_hessian(x, Projection::psd, hessian_);
  }
  if (context_->inertia) add_inertia_hessian(system_->mass, hessian_);
  hessian_.constrain(context_->prescribed, mean_diagonal(hessian_));
  if (!factor_) factor_ = std::make_unique<SparseCholesky>(CholeskyOptions{.compact = true});
  ++result.factorizations;
  return factor_->compute(hessian_);
}

// Chebyshev semi-iteration (Wang 2015) for the spectral radius rho:
//   d <- omega (x + d - x_before) + x_before - x,
//   omega_k = 1 for k < S, 2 / (2 - rho^2) for k = S, 4 / (4 - rho^2 omega_{k-1}) for k > S,
// kept only where it is a descent direction.
void QuasiNewtonDirection::extrapolate(const Points& x, const Points& g, Points& d) {
  const double rho2 = setup_.spectral_radius * setup_.spectral_radius;
  omega_ = iteration_ < chebyshev_delay ? 1 : iteration_ == chebyshev_delay ? 2 / (2 - rho2) : 4 / (4 - rho2 * omega_);
  if (omega_ == 1) return;
  const Index n = system_->dynamic_count;
  s_ = omega_ * (x.leftCols(n) + d.leftCols(n) - x_before_) + x_before_ - x.leftCols(n);
  if (inner_product(g, s_) < 0) d.leftCols(n) = s_;
}

// Estimates the distance to the solution over the length of d. The decrement sqrt(-g . d) is proportional to the error
// in the energy norm; if it shrinks by a factor q in each iteration, the remaining directions sum up to 1 / (1 - q)
// times d. q is the geometric mean over a window of iterations; for the first direction a typical q of 0.9 is assumed.
double QuasiNewtonDirection::remaining(const Points& g, const Points& d) {
  decrements_.push_back(std::sqrt(std::max(0.0, -inner_product(g, d))));
  const auto count = static_cast<int>(decrements_.size());
  if (count == 1) return 10;
  double q = 0;
  for (const int window : rate_windows) {
    const int over = std::min(count - 1, window);
    const double before = decrements_[count - 1 - over];
    if (before > 0) q = std::max(q, std::pow(decrements_.back() / before, 1.0 / over));
  }
  return 1 / (1 - std::min(q, slowest_rate));
}

// The direction while prescribed coordinates move and nothing touches. E is then no measure of steps; the bodies only
// follow: A d = 0 at the free coordinates, with d given at the prescribed ones.
void QuasiNewtonDirection::follow_prescribed(const Points& d) {
  const Index n = system_->dynamic_count;
  y_.setZero(3, n);
  q_.setZero(3, n);
  bool any = false;
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (context_->prescribed[3 * static_cast<std::size_t>(i) + k]) {
        y_(k, i) = d(k, i);
        any |= d(k, i) != 0;
      }
  if (!any || setup_.initial != "laplacian") return;
  matrix_.subtract_prescribed(y_, q_);
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (context_->prescribed[3 * static_cast<std::size_t>(i) + k]) q_(k, i) = 0;
}

// A, where it is not known for this step. False, and result says why, where it is not positive definite.
bool QuasiNewtonDirection::update_matrix(DirectionResult& result) {
  const int before = matrix_.factorizations(), changes = matrix_.changes();
  const bool ok = matrix_.update(*context_);
  if (ok && matrix_.changes() != changes) rotations_.set(*context_, matrix_.weights());
  result.factorizations += matrix_.factorizations() - before;
  if (ok) return true;
  result.ok = false;
  result.reason =
      "the matrix of the quasi-Newton method is not positive definite: some body can move freely, or stiffnesses and "
      "masses are too far apart";
  return false;
}

// Newton's direction at x, or the one that the stop test has found there.
DirectionResult QuasiNewtonDirection::newton_direction(const Points& x, const Points& drift, Points& g, Points& d) {
  DirectionResult result;
  const bool moving = drift.cols() > 0;
  if (!update_matrix(result)) return result;
  const int factorizations = result.factorizations;
  result = newton_.direction(x, drift, moving ? following_error : ending_error, g, d);
  result.factorizations += factorizations;
  result.remaining = 1 / (1 - ending_error);
  return result;
}

// One iteration of QN, algorithm 1, lines 3 and 4, with algorithm 2 in line 4:
//
// 1. Newton's direction instead, if the stop test or a failed line search asked for it, or if prescribed vertices or
//    obstacles still move while contacts are active: A has no contacts, so bodies would not give way.
// 2. g = grad E(x)                                   (line 3).
// 3. A and its factor, in the first iteration of a step.
// 4. The pair s = x - x_before, y = g - g_before     (algorithm 2, line 3).
// 5. d = -B g by L-BFGS, or Chebyshev's extrapolation of it  (algorithms 2 and 3).
DirectionResult QuasiNewtonDirection::direction(const Points& x, const Points& drift, Points& g, Points& d) {
  // The stop test asks with contacts at their softest: outside the sequence of iterates.
  if (potential_->contact().softened()) return newton_direction(x, drift, g, d);
  DirectionResult result;
  const Index n = system_->dynamic_count;
  // While prescribed coordinates move, gradients of two iterates do not belong to one E, so that they make no pair.
  const bool moving = drift.cols() > 0;
  // Step 1.
  was_newton_ = wants_newton_ || (moving && potential_->contact().has_hessian());
  wants_newton_ = false;
  if (was_newton_) {
    next_.resize(3, 0);
    result = newton_direction(x, drift, g, d);
    known_ = false;
    if (moving)
      history_.clear();
    else if (result.ok)
      learn(x, g);
    ++iteration_;
    return result;
  }
  // Step 2.
  potential_->gradient(x, g);
  if (next_.cols() > 0 && !moving) {
    was_newton_ = true;
    take_free(next_, context_->prescribed, d);
    next_.resize(3, 0);
    result.exact = true;
    result.remaining = 1 / (1 - ending_error);
    ++iteration_;
    return result;
  }
  next_.resize(3, 0);
  const Stopwatch watch;
  // Step 3.
  if (!has_first_) {  // nothing that the matrices are made of changes within a step
    if (setup_.initial == "laplacian" && !update_matrix(result)) return result;
    const bool hessian = setup_.initial != "laplacian" && setup_.initial != "identity";
    if (hessian && !factor_hessian(x, result)) {
      result.ok = false;
      result.reason = "the first guess of the Hessian is not positive definite: some body can move freely";
      return result;
    }
    has_first_ = true;
  }
  // Steps 4 and 5.
  if (moving) {
    known_ = false;
    history_.clear();
    follow_prescribed(d);
  } else {
    if (known_ && setup_.acceleration == "chebyshev") x_before_ = x_;
    learn(x, g);
    set_free(g, context_->prescribed, q_);
  }
  solve(q_, s_);
  take_free(s_, context_->prescribed, d);
  if (setup_.acceleration == "chebyshev" && !moving && x_before_.cols() == n) extrapolate(x, g, d);
  result.remaining = remaining(g, s_);
  ++iteration_;
  ++result.linear_iterations;
  result.linear_solve_seconds += watch.seconds();
  result.overflow = !std::isfinite(inner_product(g, g));
  if (result.overflow) {
    result.ok = false;
    result.reason = "the forces are not finite";
  }
  return result;
}

// The next direction, from x with the gradient g there, including the pair of the step to x. Where it is short enough
// to end the step, Newton's direction decides: A and a few pairs see the fast part of the motion converge, while a
// slender body may not have begun to bend.
DirectionResult QuasiNewtonDirection::correction(const Points& x, const Points& g, Points& d) {
  DirectionResult result;
  const Stopwatch watch;
  next_.resize(3, 0);
  learn(x, g);
  set_free(g, context_->prescribed, q_);
  solve(q_, s_);
  take_free(s_, context_->prescribed, d);
  result.remaining = remaining(g, s_);
  decrements_.pop_back();  // the next direction is the same
  result.linear_solve_seconds += watch.seconds();
  const SolverSetup& solver = system_->setup.solver;
  const double length = step_norms(d, system_->dynamic_count, context_->step).of(solver.norm == "mean");
  if (!(result.remaining * length < solver.tolerance)) return result;
  next_ = d;
  const DirectionResult newton = newton_direction(x, none_, gradient_, next_);
  result.linear_iterations += newton.linear_iterations;
  result.factorizations += newton.factorizations;
  result.linear_solve_seconds += newton.linear_solve_seconds;
  result.may_stop = newton.ok && newton.may_stop;
  result.reason = newton.reason;
  result.exact = newton.exact;
  result.remaining = newton.remaining;
  if (newton.ok) {
    d = next_;
  } else {
    next_.resize(3, 0);
  }
  return result;
}

void QuasiNewtonDirection::accepted(const Points& x, double alpha, double) {
  if (alpha > 0) plain_ = false;
  if (alpha == 0) history_.clear();
  kept_contacts_.resize(3, 0);
  if (!potential_->contact().held_in_search() || alpha == 0) return;
  kept_contacts_.setZero(3, system_->dynamic_count);
  potential_->add_contact_gradient(x, potential_->contact().planes(), kept_contacts_);
}

// Pairs that were taken far away may give a direction that ascends within rounding; the next one is by A alone, and the
// one after that Newton's.
bool QuasiNewtonDirection::retry() {
  known_ = false;
  if (was_newton_) return false;
  if (plain_) return wants_newton_ = true;
  return plain_ = true;
}

bool QuasiNewtonDirection::confirm() {
  if (!was_newton_) wants_newton_ = true;
  return was_newton_;
}

}  // namespace sinew
