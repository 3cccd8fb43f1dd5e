#include "sinew/solver/stop_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/solver/minimizer.h"

namespace sinew {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// What is left of a body's normal forces, over their size, at most: friction takes over as much of an error.
constexpr double settled = 2e-3;
// Radius within which contacts are seen at their softest, over what is left.
constexpr double confirmed_reach = 4;
// Roundings of positions within which a direction that E cannot see counts as none.
constexpr double floor_length = 64;

}  // namespace

bool StopTest::at_rounding(const LineSearchResult& search, bool small, double length, double position_rounding) const {
  // The direction decreases E in exact arithmetic: where no trial does, rounding hides it.
  if (small && (!search.accepted || search.at_floor)) return true;
  return search.at_floor && length <= floor_length * position_rounding;
}

// Whether the full step d that was taken to x ends the iterations. The simplified correction d+ = -H^{-1} grad E(x),
// with the matrix that d was found with, is what is left where that matrix still holds at x; whether it does tells the
// contraction theta = |d+| / |d| (Deuflhard 2004, "Newton methods for nonlinear problems", sections 2.1 and 3.3). Where
// a secant or a projected Hessian is too stiff theta is large however short d is; above 1 the step leads away from a
// saddle.
bool StopTest::solved(IncrementalPotential& potential, DescentDirection& direction, const Points& x,
                      const StepNorms& taken, MinimizeReport& report) {
  potential.gradient(x, g_);
  correction_.setZero(3, x.cols());
  const DirectionResult result = direction.correction(x, g_, correction_);
  if (!result.ok) return (taken.of(mean_norm_)) < tolerance_;  // there is only the direction
  report.add(result);
  const StepNorms norms = step_norms(correction_, potential.system().dynamic_count, potential.context().step);
  const double length = norms.of(mean_norm_);
  // In both norms: what converges slowly may be few vertices, which the mean hides at first.
  const double theta = std::max(norms.mean / taken.mean, norms.max / taken.max);
  if (!result.may_stop || !std::isfinite(length)) return false;
  const double left = theta < 1 ? length * std::max(1 / (1 - theta), result.left) : infinity;  // a geometric series
  const double largest_left = left * (length > 0 ? norms.max / length : 1);
  if (!(left < tolerance_ || norms.max <= report.position_rounding)) return false;
  if (!contacts_settled(potential, x, g_) || !contacts_confirm(potential, direction, x, largest_left, report))
    return false;
  report.residual = norms.max;
  report.measure = length;
  return true;
}

// Whether normal forces, which friction lags into the next step, balance at x: contacts are so stiff that a direction
// may be far below the tolerance while they are many times wrong. g: gradient of E at x; body by body, what it leaves
// along the contact forces of touching vertices is small beside them, or would change velocities by less than the
// tolerance.
bool StopTest::contacts_settled(IncrementalPotential& potential, const Points& x, const Points& g) {
  if (potential.contact().contacts().empty()) return true;
  const System& system = potential.system();
  contact_forces_.setZero(3, system.dynamic_count);
  potential.contact().normal().add_gradient(x, potential.context().scale, contact_forces_);
  struct Balance {
    double left2 = 0, size2 = 0, mass2 = 0;
  };
  std::vector<Balance> bodies(system.bodies.size());
  for (Index i = 0; i < system.dynamic_count; ++i) {
    if (contact_forces_.col(i).isZero(0)) continue;
    Balance& body = bodies[system.vertex_body[i]];
    double left = 0;  // times |force|
    for (int k = 0; k < 3; ++k)
      if (!potential.context().fixed[3 * static_cast<std::size_t>(i) + k]) left += g(k, i) * contact_forces_(k, i);
    const double size2 = contact_forces_.col(i).squaredNorm();
    body.left2 += left * left / size2;
    body.size2 += size2;
    if (potential.context().inertia) body.mass2 += system.mass[i] * system.mass[i];
  }
  const double reach = tolerance_ * potential.context().step;  // [m]
  return std::all_of(bodies.begin(), bodies.end(), [&](const Balance& body) {
    return body.left2 <= std::max(settled * settled * body.size2, reach * reach * body.mass2);
  });
}

// Whether contacts and friction let the solution be as near as `left` [m/s], of the fastest vertex, says. A contact
// that opens, or begins to slip, on the way loses its stiffness, and directions that saw it are shorter than the way to
// go by its ratio to what else holds the body, often inertia alone. If the direction by the least stiffness that
// contacts have within some radius of x is not longer than this radius, the solution is within it: so for a few times
// `left`.
bool StopTest::contacts_confirm(IncrementalPotential& potential, DescentDirection& direction, const Points& x,
                                double left, MinimizeReport& report) {
  const double h = potential.context().step;
  const std::vector<double>& all = potential.system().mass;
  const std::span<const double> mass(all.data(), potential.context().inertia ? all.size() : 0);
  const double radius = mean_norm_ ? confirmed_reach * left : std::min(confirmed_reach * left, tolerance_);
  if (!potential.contact().softens(x, radius * h, mass, potential.context().scale)) return true;
  potential.contact().set_radius(radius * h);
  correction_.setZero();
  const DirectionResult result = direction.direction(x, no_drift_, g_, correction_);
  potential.contact().set_radius(0);
  report.add(result);
  ++report.iterations;
  if (!result.ok || !result.may_stop) return false;
  const StepNorms norms = step_norms(correction_, potential.system().dynamic_count, h);
  return norms.max <= radius && (!mean_norm_ || norms.mean <= tolerance_);
}

}  // namespace sinew
