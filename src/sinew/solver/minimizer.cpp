#include "sinew/solver/minimizer.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"

namespace sinew {
namespace {

constexpr double armijo = 1e-4;
constexpr int max_halvings = 40;
// Relative change of E below which rounding hides whether a step decreases it.
constexpr double rounding_floor = 1e-14;

double dot(const Points& a, const Points& b, Index n) {
  return parallel_sum(n, [&](std::size_t i) { return a.col(i).dot(b.col(i)); });
}

std::vector<PlaneState> interpolate(const std::vector<PlaneState>& from, const std::vector<PlaneState>& to,
                                    double alpha) {
  std::vector<PlaneState> planes = from;
  if (alpha == 1) return to;
  for (std::size_t p = 0; p < planes.size(); ++p) {
    planes[p].point += alpha * (to[p].point - from[p].point);
    planes[p].normal = (from[p].normal + alpha * (to[p].normal - from[p].normal)).normalized();
  }
  return planes;
}

bool same_planes(const std::vector<PlaneState>& a, const std::vector<PlaneState>& b) {
  for (std::size_t p = 0; p < a.size(); ++p)
    if (a[p].point != b[p].point || a[p].normal != b[p].normal) return false;
  return true;
}

struct Norms {
  double max = 0, mean = 0;
};

Norms step_norms(const Points& d, Index n, double h) {
  Norms norms;
  norms.max = parallel_max(n, 0, [&](std::size_t i) { return d.col(i).norm(); }) / h;
  norms.mean = parallel_sum(n, [&](std::size_t i) { return d.col(i).norm(); }) / (h * n);
  return norms;
}

}  // namespace

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

// How the gradient changes when obstacles and planes move on, by a difference quotient over the frozen contacts. Without it
// bodies would notice a moving obstacle only after it has closed the gap.
void Minimizer::kinematic_drift(IncrementalPotential& potential, const Points& x, const std::vector<PlaneState>& planes) {
  const StepContext& context = potential.context();
  const Index n = potential.system().dynamic_count, all = potential.system().vertex_count();
  double motion = 0;
  for (Index i = n; i < all; ++i) motion = std::max(motion, d_.col(i).norm());
  for (std::size_t p = 0; p < planes.size(); ++p)
    motion = std::max({motion, (context.plane_end[p].point - planes[p].point).norm(),
                       (context.plane_end[p].normal - planes[p].normal).norm() * potential.system().diagonal});
  const double gap = std::min(potential.min_distance(), potential.system().contact_distance);
  // A small fraction of the smallest gap: the barrier is smooth on that scale. A power of two keeps scaling exact.
  const double epsilon = std::ldexp(1.0, std::min(0, std::ilogb(gap / motion)) - 16);
  x_trial_ = x;
  for (Index i = n; i < all; ++i) x_trial_.col(i) += epsilon * d_.col(i);
  potential.contact_gradient(x, planes, g_);
  potential.contact_gradient(x_trial_, interpolate(planes, context.plane_end, epsilon), g_trial_);
  drift_ = (g_trial_ - g_) / epsilon;
}

MinimizeReport Minimizer::minimize(IncrementalPotential& potential, DescentDirection& direction, Points& x,
                                   std::vector<PlaneState>& planes, const std::function<void()>& check_interrupt) {
  const StepContext& context = potential.context();
  const System& system = potential.system();
  const Index n = system.dynamic_count;
  const double scale_1e9 = 1e-9 * system.diagonal;
  MinimizeReport report;
  potential.set_contacts(x, planes);
  PotentialValue& E = report.value;
  E = potential.value(x);
  double gap = potential.min_distance();
  bool last_blocked = false;

  while (true) {
    check_interrupt();
    prescribed_displacement(potential, x);
    const bool planes_moving = !same_planes(planes, context.plane_end);
    const bool open = targets_open_ || planes_moving;
    if (open && (kinematic_moving_ || planes_moving) && potential.contact_count() > 0) {
      kinematic_drift(potential, x, planes);
    } else if (open) {
      drift_.setZero(3, n);
    }
    report.targets_left = targets_left_;
    for (std::size_t p = 0; p < planes.size(); ++p)
      report.targets_left = std::max(report.targets_left, (planes[p].point - context.plane_end[p].point).norm());

    const DirectionResult result = direction.direction(x, open ? drift_ : zero_drift_, g_, d_);
    report.linear_iterations += result.linear_iterations;
    report.linear_solve_seconds += result.linear_solve_seconds;
    report.symbolic_seconds += result.symbolic_seconds;
    report.factorizations += result.factorizations;
    report.projected_factorizations += result.projected_factorizations;
    if (!result.ok) {
      report.reason = result.reason;
      return report;
    }
    ++report.iterations;
    const Norms norms = step_norms(d_, n, context.step);
    if (!std::isfinite(norms.mean)) {
      report.reason = "the direction is not finite";
      return report;
    }
    report.residual = norms.max;
    report.measure = settings_.mean_norm ? norms.mean : norms.max;
    const bool small = report.measure < settings_.tolerance && result.may_stop && !open;

    // Filter, then backtrack on E.
    Stopwatch watch;
    const double collision_before = potential.collision_seconds;
    double alpha = potential.max_step(x, d_, context.plane_end);
    const double slope = dot(g_, d_, n);
    const double predicted = -slope * (1 - 0.5);
    const bool at_floor = !open && predicted <= rounding_floor * E.magnitude();
    bool accepted = false;
    PotentialValue E_trial;
    std::vector<PlaneState> planes_trial;
    for (int halving = 0; halving <= max_halvings; ++halving, alpha *= 0.5) {
      ++report.line_search_steps;
      if (alpha == 1 && open) {
        // Land on the targets exactly.
        x_trial_ = x + d_;
        for (Index i = 0; i < n; ++i)
          for (int k = 0; k < 3; ++k)
            if (context.fixed[3 * i + k]) x_trial_(k, i) = context.target(k, i);
        for (Index i = n; i < system.vertex_count(); ++i) x_trial_.col(i) = context.target.col(i);
      } else {
        x_trial_.resize(3, x.cols());
        parallel_for(x.cols(), [&](std::size_t i) { x_trial_.col(i) = x.col(i) + alpha * d_.col(i); }, 4096);
      }
      planes_trial = interpolate(planes, context.plane_end, alpha);
      potential.set_contacts(x_trial_, planes_trial);
      E_trial = potential.value(x_trial_);
      const double total = E_trial.total();
      if (!std::isfinite(total)) continue;
      // While something prescribed is still on its way E may grow: it is being worked on from outside.
      if (open || total <= E.total() + armijo * alpha * slope) {
        accepted = true;
        break;
      }
      if (at_floor || total - E.total() <= rounding_floor * E.magnitude()) {
        potential.gradient(x_trial_, g_trial_);
        for (Index i = 0; i < n; ++i)
          for (int k = 0; k < 3; ++k)
            if (context.fixed[3 * i + k]) g_trial_(k, i) = g_(k, i);
        accepted = g_trial_.norm() < g_.norm();
        report.at_rounding_floor = true;
        break;
      }
    }
    report.line_search_seconds += watch.seconds() - (potential.collision_seconds - collision_before);
    if (accepted) {
      std::swap(x, x_trial_);
      planes = planes_trial;
      E = E_trial;
    } else {
      potential.set_contacts(x, planes);
      E = potential.value(x);
    }
    direction.accepted(accepted ? alpha : 0.0);

    if (small || report.at_rounding_floor) {
      report.converged = true;
      return report;
    }
    if (!accepted) {
      report.reason = fmt::format("the line search found no decrease of the potential after {} halvings", max_halvings);
      return report;
    }
    const bool blocked = alpha < 1e-10;
    if (blocked && last_blocked) {
      report.reason = report.targets_left > 0
                          ? "prescribed motion is blocked: obstacles or fixed vertices press bodies that cannot give way"
                          : "the collision filter leaves no room for a step";
      return report;
    }
    last_blocked = blocked;

    // IPC 2020: stiffen while a tiny gap keeps closing.
    if (settings_.adaptive_stiffness && potential.min_distance() < scale_1e9 && potential.min_distance() < gap) {
      const double kappa = std::min(2 * potential.contact_stiffness(), settings_.max_stiffness);
      if (kappa > potential.contact_stiffness()) {
        potential.set_contact_stiffness(kappa);
        E = potential.value(x);
      }
    }
    gap = potential.min_distance();
    if (report.iterations >= settings_.max_iterations) {
      report.reason = open ? "prescribed motion did not reach its target within solver.max_iterations"
                           : "the residual is still above solver.tolerance after solver.max_iterations";
      return report;
    }
  }
}

}  // namespace sinew
