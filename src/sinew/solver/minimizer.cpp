#include "sinew/solver/minimizer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"

namespace sinew {
namespace {

constexpr double armijo = 1e-4;
constexpr int max_halvings = 40;
// Relative change of E below which rounding hides whether a step decreases it.
constexpr double rounding_floor = 1e-14;
// Largest change of a body's contact and friction forces in the last step, over their size. Contacts are so stiff that a
// direction may be far below the tolerance while their forces, which friction lags into the next step, are many times
// wrong; as Newton converges faster than linearly, what is left after such a change is about its square.
constexpr double settled_contact = 0.1;
// Gap over the contact distance under which motion that still presses on counts as blocked: pressures are thousands of
// times Young's modulus there, and smaller gaps would leave no room to come back from.
constexpr double jammed_gap = 1e-8;
constexpr int most_blocked_steps = 2;  // in a row; the gap may shrink tenfold in each

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
    planes[p].tangent = (from[p].tangent + alpha * (to[p].tangent - from[p].tangent)).normalized();
  }
  return planes;
}

bool same_planes(const std::vector<PlaneState>& a, const std::vector<PlaneState>& b) {
  for (std::size_t p = 0; p < a.size(); ++p)
    if (a[p].point != b[p].point || a[p].normal != b[p].normal) return false;
  return true;
}

// Over the coordinates that are not prescribed.
double free_norm(const Points& g, const StepContext& context, Index n) {
  return std::sqrt(parallel_sum(n, [&](std::size_t i) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
      if (!context.fixed[3 * i + k]) sum += g(k, i) * g(k, i);
    return sum;
  }));
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

// Whether the step from contact forces `before` to `after` (as gradients of E) changed them little, body by body: against
// their size, or against what would change the velocities of the touching vertices by less than the tolerance.
bool Minimizer::contacts_settled(const IncrementalPotential& potential, const Points& before, const Points& after) const {
  const System& system = potential.system();
  struct Change {
    double change2 = 0, size2 = 0, mass2 = 0;
  };
  std::vector<Change> bodies(system.bodies.size());
  for (Index i = 0; i < system.dynamic_count; ++i) {
    if (before.col(i).isZero(0) && after.col(i).isZero(0)) continue;
    Change& body = bodies[system.vertex_body[i]];
    body.change2 += (after.col(i) - before.col(i)).squaredNorm();
    body.size2 += after.col(i).squaredNorm();
    if (potential.context().inertia) body.mass2 += system.mass[i] * system.mass[i];
  }
  const double reach = settings_.tolerance * potential.context().step;  // [m]
  return std::all_of(bodies.begin(), bodies.end(), [&](const Change& body) {
    return body.change2 <= std::max(settled_contact * settled_contact * body.size2, reach * reach * body.mass2);
  });
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
  int blocked_steps = 0;
  // Prescribed motion that the filter has cut short waits for an iteration in which the bodies give way.
  bool relax_next = false;
  const double reach = parallel_max(n, 0.0, [&](std::size_t i) { return x.col(i).cwiseAbs().maxCoeff(); });
  const double position_rounding = 8 * std::numeric_limits<double>::epsilon() * reach / context.step;

  while (true) {
    check_interrupt();
    prescribed_displacement(potential, x);
    const bool planes_moving = !same_planes(planes, context.plane_end);
    if (!planes_moving) planes = context.plane_end;  // what is left is a turn about the normal: only friction feels it
    const bool targets_wait = targets_open_ || planes_moving;
    const bool relax = targets_wait && relax_next;
    const bool open = targets_wait && !relax;
    const std::vector<PlaneState>& planes_aim = relax ? planes : context.plane_end;
    if (open && (kinematic_moving_ || planes_moving) && potential.contact_count() > 0) {
      kinematic_drift(potential, x, planes);
    } else if (open) {
      drift_.setZero(3, n);
    }
    report.targets_left = targets_left_;
    for (std::size_t p = 0; p < planes.size(); ++p)
      report.targets_left = std::max(report.targets_left, (planes[p].point - context.plane_end[p].point).norm());

    if (relax) d_.setZero();

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
    const bool small = report.measure < settings_.tolerance && result.may_stop && !targets_wait;

    const bool touching = potential.contact_count() > 0;
    if (small && touching) potential.contact_gradient(x, planes, drift_);
    if (small && !touching) drift_.setZero(3, n);

    // Filter, then backtrack on E.
    Stopwatch watch;
    const double collision_before = potential.collision_seconds;
    double alpha = potential.max_step(x, d_, planes_aim);
    const double slope = dot(g_, d_, n);
    const double first_alpha = alpha;
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
      planes_trial = interpolate(planes, planes_aim, alpha);
      potential.set_contacts(x_trial_, planes_trial);
      E_trial = potential.value(x_trial_);
      const double total = E_trial.total();
      if (!std::isfinite(total)) continue;
      // While something prescribed is still on its way E may grow: it is being worked on from outside.
      if (open || total <= E.total() + armijo * alpha * slope) {
        accepted = true;
        break;
      }
      // Where E cannot tell any more the gradient decides.
      if (std::min(-slope * alpha, total - E.total()) <= rounding_floor * E.magnitude()) {
        potential.gradient(x_trial_, g_trial_);
        accepted = free_norm(g_trial_, context, n) < free_norm(g_, context, n);
        if (alpha == 1 || accepted) break;
      }
    }
    const bool at_floor = !targets_wait && first_alpha == 1 && -slope <= 2 * rounding_floor * E.magnitude();
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

    if (at_floor) {
      report.converged = report.at_rounding_floor = true;
      return report;
    }
    if (small && accepted) {
      report.converged = report.residual <= position_rounding;
      if (!report.converged && (touching || potential.contact_count() > 0)) {
        potential.contact_gradient(x, planes, g_trial_);
        report.converged = contacts_settled(potential, drift_, g_trial_);
      } else {
        report.converged = true;
      }
      if (report.converged) return report;
    }
    if (!accepted) {
      report.reason = fmt::format("the line search found no decrease of the potential after {} halvings", max_halvings);
      return report;
    }
    relax_next = open && alpha < 0.25;
    const bool jammed = open && alpha < 0.5 && potential.min_distance() < jammed_gap * system.contact_distance;
    if (!relax) blocked_steps = alpha < 1e-10 || jammed ? blocked_steps + 1 : 0;
    if (blocked_steps == most_blocked_steps) {
      report.reason = report.targets_left > 0
                          ? "prescribed motion is blocked: obstacles or fixed vertices press bodies that cannot give way"
                          : "the collision filter leaves no room for a step";
      return report;
    }

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
