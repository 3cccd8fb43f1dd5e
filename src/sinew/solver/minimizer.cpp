#include "sinew/solver/minimizer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/contact/kinematics.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"

namespace sinew {
namespace {

constexpr int max_halvings = 40;
// Relative change of E below which rounding hides whether a step decreases it.
constexpr double rounding_floor = 1e-14;
// Tolerances from which on an exact direction may be followed by a correction within one.
constexpr double correction_reach = 10;
// Gap over the contact distance under which motion that still presses on counts as blocked: pressures are millions of
// times Young's modulus there, and smaller gaps would leave no room to come back from.
constexpr double jammed_gap = 1e-8;
// Roundings of positions within which a direction that E cannot see counts as none.
constexpr double floor_length = 64;
constexpr int most_blocked = 2;  // in a row; the gap may shrink tenfold in each

double dot(const Points& a, const Points& b, Index n) {
  return parallel_sum(n, [&](std::size_t i) { return a.col(i).dot(b.col(i)); });
}

std::vector<PlaneState> interpolate_all(const std::vector<PlaneState>& from, const std::vector<PlaneState>& to,
                                        double alpha) {
  if (alpha == 1) return to;
  std::vector<PlaneState> planes = from;
  for (std::size_t p = 0; p < planes.size(); ++p) planes[p] = interpolate(from[p], to[p], alpha);
  return planes;
}

bool same_planes(const std::vector<PlaneState>& a, const std::vector<PlaneState>& b) {
  for (std::size_t p = 0; p < a.size(); ++p)
    if (a[p].point != b[p].point || a[p].normal != b[p].normal) return false;
  return true;
}

}  // namespace

void MinimizeReport::add(const DirectionResult& result) {
  linear_iterations += result.linear_iterations;
  linear_solve_seconds += result.linear_solve_seconds;
  symbolic_seconds += result.symbolic_seconds;
  factorizations += result.factorizations;
  projected_factorizations += result.projected_factorizations;
  levels.add(result.levels);
}

// One pass of the loop.
struct Minimizer::Iteration {
  bool targets_wait = false;           // something prescribed is not yet where it should be
  bool relax = false;                  // ... and stays there, so that the bodies can give way
  bool open = false;                   // ... and moves on
  double targets_left = 0;             // [m]
  std::vector<PlaneState> planes_aim;  // where the planes are at a full step
  double length = 0;                   // of the direction, in the norm of the tolerance [m/s]
  bool small = false;                  // what is left to go is below the tolerance
  double alpha = 0;                    // the step taken, or tried last
  double filter = 1;                   // the longest step that the filter let through
  double slope = 0;                    // of E along the direction
  double noise = 0;                    // rounding of E
  bool at_floor = false;               // E cannot tell a full step from none
  bool finite = false;                 // whether E was finite at some trial
  bool accepted = false;
  double misfit = 1;  // of E over a full step with its quadratic model, over the model's decrease
};

void Minimizer::prescribed_displacement(const IncrementalPotential& potential, const Points& x) {
  const StepContext& context = potential.context();
  const Index n = potential.system().dynamic_count, all = potential.system().vertex_count();
  d_.setZero(3, all);
  double left = 0;
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (context.fixed[3 * i + k]) {
        d_(k, i) = context.target(k, i) - x(k, i);
        left = std::max(left, std::abs(d_(k, i)));
      }
  kinematic_moving_ = false;
  for (Index i = n; i < all; ++i) {
    d_.col(i) = context.target.col(i) - x.col(i);
    const double distance = d_.col(i).cwiseAbs().maxCoeff();
    left = std::max(left, distance);
    if (distance > 0) kinematic_moving_ = true;
  }
  targets_open_ = left > 0;
  targets_left_ = left;
}

// How the gradient changes when obstacles and planes move on, by a difference quotient over the frozen contacts.
// Without it bodies would notice a moving obstacle only after it has closed the gap.
void Minimizer::kinematic_drift(IncrementalPotential& potential, const Points& x,
                                const std::vector<PlaneState>& planes) {
  const StepContext& context = potential.context();
  const Index n = potential.system().dynamic_count, all = potential.system().vertex_count();
  double motion = 0;
  for (Index i = n; i < all; ++i) motion = std::max(motion, d_.col(i).norm());
  for (std::size_t p = 0; p < planes.size(); ++p)
    motion = std::max({motion, (context.plane_end[p].point - planes[p].point).norm(),
                       (context.plane_end[p].normal - planes[p].normal).norm() * potential.system().diagonal});
  const double gap = std::min(potential.contact().min_distance(), potential.system().contact_distance);
  // A small fraction of the smallest gap: the barrier is smooth on that scale. A power of two keeps scaling exact.
  const double epsilon = std::ldexp(1.0, std::min(0, std::ilogb(gap / motion)) - 16);
  x_trial_ = x;
  for (Index i = n; i < all; ++i) x_trial_.col(i) += epsilon * d_.col(i);
  g_.setZero(3, n);
  g_trial_.setZero(3, n);
  potential.contact().add_gradient(x, planes, context.scale, g_);
  potential.contact().add_gradient(x_trial_, interpolate_all(planes, context.plane_end, epsilon), context.scale,
                                   g_trial_);
  drift_ = (g_trial_ - g_) / epsilon;
}

// Aims the iteration: at the targets, unless bodies must give way first.
void Minimizer::aim(IncrementalPotential& potential, const Points& x, std::vector<PlaneState>& planes, Iteration& it) {
  const StepContext& context = potential.context();
  prescribed_displacement(potential, x);
  const bool planes_moving = !same_planes(planes, context.plane_end);
  if (!planes_moving) planes = context.plane_end;  // what is left is a turn about the normal: only friction feels it
  it.targets_wait = targets_open_ || planes_moving;
  it.relax = it.targets_wait && relax_next_;
  it.open = it.targets_wait && !it.relax;
  it.planes_aim = it.relax ? planes : context.plane_end;
  if (it.open && (kinematic_moving_ || planes_moving) && !potential.contact().contacts().empty()) {
    kinematic_drift(potential, x, planes);
  } else if (it.open) {
    drift_.setZero(3, potential.system().dynamic_count);
  }
  it.targets_left = targets_left_;
  for (std::size_t p = 0; p < planes.size(); ++p)
    it.targets_left = std::max(it.targets_left, (planes[p].point - context.plane_end[p].point).norm());
  if (it.relax) d_.setZero();
}

// x_trial_ = x + alpha d, along arcs where bodies turn, exactly on the targets when alpha is 1. False where an arc has
// no room: the filter has looked at x + alpha d.
bool Minimizer::place_trial(IncrementalPotential& potential, const Points& x,
                            const std::vector<PlaneState>& planes_trial, double alpha, bool open) {
  const StepContext& context = potential.context();
  x_trial_.resize(3, x.cols());
  if (arcs_->any()) {
    motion_.resize(3, x.cols());
    parallel_for(
        x.cols(), [&](std::size_t i) { motion_.col(i) = alpha * d_.col(i); }, 4096);
    arcs_->bend(x, d_, alpha, motion_);
    if (potential.max_step(x, motion_, planes_trial) < 1) return false;
    parallel_for(
        x.cols(), [&](std::size_t i) { x_trial_.col(i) = x.col(i) + motion_.col(i); }, 4096);
  } else {
    parallel_for(
        x.cols(), [&](std::size_t i) { x_trial_.col(i) = x.col(i) + alpha * d_.col(i); }, 4096);
  }
  if (alpha < 1 || !open) return true;
  const Index n = potential.system().dynamic_count;
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (context.fixed[3 * static_cast<std::size_t>(i) + k]) x_trial_(k, i) = context.target(k, i);
  for (Index i = n; i < x.cols(); ++i) x_trial_.col(i) = context.target.col(i);
  return true;
}

// Whether the trial step decreases E enough (Armijo). Where rounding hides that the slope at the trial tells: for a
// quadratic E along d Armijo's condition reads slope(alpha) <= (1 - 2 armijo) |slope(0)| (Hager and Zhang 2005, "A new
// conjugate gradient method with guaranteed descent and an efficient line search", the approximate Wolfe condition).
bool Minimizer::decreases(IncrementalPotential& potential, const PotentialValue& E, const PotentialValue& E_trial,
                          const Iteration& it) {
  const double change = E_trial.total() - E.total();
  if (change <= settings_.armijo * it.alpha * it.slope) return true;
  if (!(change <= it.noise)) return false;
  potential.gradient(x_trial_, g_trial_);
  const Index n = potential.system().dynamic_count;
  return dot(g_trial_, d_, n) <= -(1 - 2 * settings_.armijo) * it.slope;
}

// Filters the direction and halves it until E has decreased enough; moves x, planes and E there, or leaves them.
void Minimizer::search(IncrementalPotential& potential, Points& x, std::vector<PlaneState>& planes, PotentialValue& E,
                       Iteration& it, MinimizeReport& report) {
  const StepContext& context = potential.context();
  const Stopwatch watch;
  const double collision_before = potential.collision_seconds;
  it.slope = dot(g_, d_, potential.system().dynamic_count);
  it.noise = potential.value_rounding(x, E);
  it.filter = it.alpha = potential.max_step(x, d_, it.planes_aim);
  report.history.add({report.measure, it.filter, potential.step_limit()});
  it.at_floor = !it.targets_wait && it.alpha == 1 && -it.slope <= 2 * rounding_floor * E.magnitude();
  arcs_->split(x, d_, context, it.slope);
  PotentialValue E_trial;
  std::vector<PlaneState> planes_trial;
  for (int halving = 0; halving <= max_halvings; ++halving, it.alpha *= 0.5) {
    ++report.line_search_steps;
    planes_trial = interpolate_all(planes, it.planes_aim, it.alpha);
    if (!place_trial(potential, x, planes_trial, it.alpha, it.open)) continue;
    potential.set_contacts(x_trial_, planes_trial);
    E_trial = potential.value(x_trial_);
    if (!std::isfinite(E_trial.total())) continue;
    it.finite = true;
    // While something prescribed is still on its way E may grow: it is being worked on from outside.
    it.accepted = it.open || !settings_.line_search || decreases(potential, E, E_trial, it);
    if (it.accepted) break;
  }
  if (it.accepted) {
    const double predicted = 0.5 * it.slope;  // of a direction that minimises the model
    if (it.alpha == 1 && !it.open && predicted < 0)
      it.misfit = std::min(1.0, (std::abs(E_trial.total() - E.total() - predicted) + it.noise) / -predicted);
    potential.contact().took(x, d_, it.alpha);
    std::swap(x, x_trial_);
    planes = planes_trial;
    E = E_trial;
  } else {
    potential.set_contacts(x, planes);
    E = potential.value(x);
  }
  report.line_search_seconds += watch.seconds() - (potential.collision_seconds - collision_before);
}

// Whether rounding is all that is left: E or positions cannot tell a further step.
bool Minimizer::at_rounding(const Iteration& it, const MinimizeReport& report) const {
  // The direction decreases E in exact arithmetic: where no trial does, rounding hides it.
  if (it.small && (!it.accepted || it.at_floor)) return true;
  return it.at_floor && it.length <= floor_length * report.position_rounding;
}

// Whether obstacles and the filter have left no room for some iterations.
bool Minimizer::blocked(const IncrementalPotential& potential, const Iteration& it) {
  relax_next_ = it.open && it.alpha < 0.25;
  const bool jammed = it.open && it.alpha < 0.5 &&
                      potential.contact().min_distance() < jammed_gap * potential.system().contact_distance;
  if (!it.relax) blocked_count_ = it.alpha < 1e-10 || jammed ? blocked_count_ + 1 : 0;
  return blocked_count_ == most_blocked;
}

// IPC 2020: stiffer contacts while a tiny gap keeps closing.
void Minimizer::stiffen(IncrementalPotential& potential, const Points& x, PotentialValue& E) {
  const double gap = potential.contact().min_distance();
  if (settings_.adaptive_stiffness && gap < 1e-9 * potential.system().diagonal && gap < last_gap_) {
    const double kappa = std::min(2 * potential.contact().stiffness(), settings_.max_stiffness);
    if (kappa > potential.contact().stiffness()) {
      potential.contact().set_stiffness(kappa);
      E = potential.value(x);
    }
  }
  last_gap_ = gap;
}

// Says why the iterations end without convergence.
void Minimizer::give_up(const IncrementalPotential& potential, const Iteration& it, const DirectionResult& result,
                        MinimizeReport& report) const {
  const auto because = [&](Cause cause, std::string reason) {
    report.cause = cause;
    report.reason = std::move(reason);
  };
  if (!result.ok && !g_.allFinite()) return because(Cause::not_finite, "the forces are not finite");
  if (!result.ok) return because(result.overflow ? Cause::not_finite : Cause::singular, result.reason);
  if (!d_.leftCols(potential.system().dynamic_count).allFinite())
    return because(Cause::not_finite, "the Newton direction is not finite");
  if (!it.accepted && !it.finite)
    return because(Cause::not_finite, "the potential is not finite anywhere along the Newton direction");
  if (!it.accepted && !result.may_stop)
    return because(Cause::linear_solver, "the linear solver stopped early: " + result.reason);
  if (!it.accepted)
    return because(Cause::line_search,
                   fmt::format("the line search found no decrease of the potential after {} halvings", max_halvings));
  if (blocked_count_ == most_blocked && report.targets_left > 0)
    return because(Cause::blocked_motion,
                   "prescribed motion is blocked: obstacles or fixed vertices press bodies that cannot give way");
  if (blocked_count_ == most_blocked)
    return because(Cause::contact_filter, potential.step_limit() == StepLimit::inversion
                                              ? "tets about to invert leave no room for a step"
                                              : "the collision filter leaves no room for a step");
  if (it.targets_wait)
    return because(Cause::slow_motion, "prescribed motion did not reach its target within solver.max_iterations");
  if (!result.may_stop)
    return because(Cause::linear_solver,
                   "the linear solver stopped early until solver.max_iterations were done: " + result.reason);
  if (it.small)
    return because(Cause::unsettled_contact,
                   "forces still change after solver.max_iterations, although the residual is below solver.tolerance");
  because(Cause::oscillation, "the residual is still above solver.tolerance after solver.max_iterations");
}

MinimizeReport Minimizer::minimize(IncrementalPotential& potential, DescentDirection& direction, Points& x,
                                   std::vector<PlaneState>& planes, const std::function<void()>& check_interrupt) {
  MinimizeReport report;
  iterate(potential, direction, x, planes, check_interrupt, report);
  if (!report.converged) report.diagnosis = diagnose(potential, x, d_, settings_, report);
  return report;
}

void Minimizer::iterate(IncrementalPotential& potential, DescentDirection& direction, Points& x,
                        std::vector<PlaneState>& planes, const std::function<void()>& check_interrupt,
                        MinimizeReport& report) {
  const StepContext& context = potential.context();
  const Index n = potential.system().dynamic_count;
  potential.set_contacts(x, planes);
  if (!arcs_) arcs_.emplace(potential.system());
  report.value = potential.value(x);
  report.stiffness_before = potential.contact().stiffness();
  last_gap_ = potential.contact().min_distance();
  blocked_count_ = 0;
  doubted_ = false;
  relax_next_ = false;
  const double reach = parallel_max(n, 0.0, [&](std::size_t i) { return x.col(i).cwiseAbs().maxCoeff(); });
  report.position_rounding = 8 * std::numeric_limits<double>::epsilon() * reach / context.step;

  while (true) {
    check_interrupt();
    Iteration it;
    aim(potential, x, planes, it);
    report.targets_left = it.targets_left;

    const DirectionResult result = direction.direction(x, it.open ? drift_ : zero_drift_, g_, d_);
    report.add(result);
    const StepNorms norms = step_norms(d_, n, context.step);
    if (!result.ok || !std::isfinite(norms.mean)) return give_up(potential, it, result, report);
    ++report.iterations;
    report.residual = norms.max;
    const StepNorms measured = result.measured ? step_norms(*result.measured, n, context.step) : norms;
    report.measure = settings_.mean_norm ? measured.mean : measured.max;
    it.length = result.left * report.measure;
    it.small = it.length < settings_.tolerance && result.may_stop && !it.targets_wait;
    search(potential, x, planes, report.value, it, report);
    direction.accepted(it.accepted ? it.alpha : 0.0, it.misfit);

    const bool at_floor = at_rounding(it, report);
    const bool nothing = at_floor || (it.small && report.residual <= report.position_rounding);  // is left to go
    report.at_rounding_floor = at_floor;
    const bool near = it.length < (result.exact ? correction_reach : 1) * settings_.tolerance;
    const bool full = it.accepted && it.alpha == 1 && !it.targets_wait && result.may_stop;
    report.converged = (nothing && direction.confirm()) ||
                       (full && near && stop_test_.solved(potential, direction, x, measured, report));
    if (report.converged) return;
    if (full && near) direction.confirm();  // where it was rough, better ones come next
    report.converged = false;
    if (!it.accepted && !nothing) {
      if (direction.retry()) continue;
      return give_up(potential, it, result, report);
    }
    if (it.alpha == 1) doubted_ = false;
    if (blocked(potential, it)) {
      if (doubted_ || direction.confirm()) return give_up(potential, it, result, report);
      doubted_ = true;
      blocked_count_ = 0;
    }
    stiffen(potential, x, report.value);
    if (settings_.budget > 0 && report.iterations >= settings_.budget && !it.targets_wait) {
      report.converged = report.budget = true;
      return;
    }
    if (report.iterations >= settings_.max_iterations) return give_up(potential, it, result, report);
  }
}

}  // namespace sinew
