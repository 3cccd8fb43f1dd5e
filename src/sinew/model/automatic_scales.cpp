#include "sinew/model/automatic_scales.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

constexpr double dynamic_slip = 1e-3;    // [m/s], at most
constexpr double size_slip = 5e-3;       // of the diagonal of the smallest body, a second
constexpr double slip_share = 1e-2;      // of the prescribed motion of a load step
constexpr double still_slip = 1e-4;      // of the diagonal, over all load steps, where nothing is moved
constexpr double tolerance_share = 0.5;  // of the slip speed: what sticks and what slips must be told apart
constexpr int most_sampled = 1000;       // load steps

}  // namespace

bool has_friction(const System& system) {
  const auto& friction = system.collision.friction;
  return system.setup.contact.enabled &&
         std::any_of(friction.begin(), friction.end(), [](double mu) { return mu > 0; });
}

double resolved_tolerance(const SolverSetup& solver, const System& system) {
  if (solver.tolerance != 0) return solver.tolerance;
  const bool statics = system.setup.time.integrator == Integrator::statics;
  const double by_size = statics ? 1e-6 * system.diagonal : 1e-3 * std::min(1.0, system.diagonal);
  return has_friction(system) ? std::min(by_size, tolerance_share * system.setup.contact.slip_speed) : by_size;
}

double largest_prescribed_motion(const System& system) {
  const int steps = system.setup.time.steps, samples = std::min(steps, most_sampled);
  const bool statics = system.setup.time.integrator == Integrator::statics;
  const double interval = statics ? 1.0 / steps : system.setup.time.step;  // of keyframe time
  double largest = 0;
  const auto add = [&](Index motion, const Vec3& rest, Index vertex) {
    if (motion < 0 || system.motions[motion].empty()) return;
    for (int s = 0; s < samples; ++s) {
      const double step = static_cast<double>(std::int64_t{steps} * s / samples);
      const Vec3 from = system.motions[motion].apply(rest, step * interval, vertex);
      const Vec3 to = system.motions[motion].apply(rest, (step + 1) * interval, vertex);
      largest = std::max(largest, (to - from).norm());
    }
  };
  for (const PrescribedVertex& p : system.prescribed) add(p.motion, system.rest.col(p.vertex), p.place);
  for (std::size_t i = 0; i < system.obstacle_vertex_motion.size(); ++i)
    add(system.obstacle_vertex_motion[i], system.rest.col(system.body_vertex_count() + static_cast<Index>(i)),
        system.obstacle_vertex_to_own[i]);
  for (std::size_t p = 0; p < system.planes.size(); ++p) add(system.plane_motion[p], system.planes[p].point, -1);
  return largest;
}

// The largest centrifugal acceleration at rest, over the keys of the spin [m/s^2].
double largest_centrifugal(const System& system) {
  if (!system.setup.spin) return 0;
  const SpinSetup& spin = *system.setup.spin;
  double radius = 0;
  for (Index i = 0; i < system.dynamic_count; ++i)
    radius = std::max(radius, (spin.across() * (system.rest.col(i) - spin.center)).norm());
  return spin.largest_speed() * spin.largest_speed() * radius;
}

double stiffness_by_inertia(const System& system, double by_elasticity) {
  if (system.setup.time.integrator == Integrator::statics) return by_elasticity;
  const std::size_t bodies = system.bodies.size();
  std::vector<Vec3> low(bodies, Vec3::Constant(1e300)), high(bodies, Vec3::Constant(-1e300));
  std::vector<double> mass(bodies, 0.0), volume(bodies, 0.0);
  double speed2 = 0;
  for (Index i = 0; i < system.body_vertex_count(); ++i) {
    const Index b = system.vertex_body[i];
    low[b] = low[b].cwiseMin(system.rest.col(i));
    high[b] = high[b].cwiseMax(system.rest.col(i));
    if (i >= system.dynamic_count) continue;
    mass[b] += system.mass[i];
    speed2 = std::max(speed2, system.initial_velocity.col(i).squaredNorm());
  }
  for (Index t = 0; t < system.tet_count(); ++t) volume[system.tet_body[t]] += tet_volume(system.rest, system.tets, t);
  for (std::size_t b = 0; b < bodies; ++b) {
    volume[b] += system.bodies[b].cloth_volume;
    if (system.bodies[b].affine_volume > 0) volume[b] = system.bodies[b].affine_volume;
  }
  double inertia = 0, acceleration = system.setup.gravity.norm();  // of rho L [kg/m^2]
  for (std::size_t b = 0; b < bodies; ++b) {
    const double thickness = system.bodies[b].thickness;  // of a cloth: what lies behind its surface
    inertia = std::max(inertia, mass[b] / volume[b] * (thickness > 0 ? thickness : (high[b] - low[b]).norm()));
    acceleration = std::max(acceleration, (system.setup.gravity + system.bodies[b].acceleration).norm());
  }
  acceleration = std::max(acceleration, largest_centrifugal(system));
  const double h = system.setup.time.step;
  const double speed = std::max(
      {std::sqrt(speed2), std::sqrt(2 * acceleration * system.diagonal), largest_prescribed_motion(system) / h});
  const double by_inertia = 100 * inertia * (acceleration + speed / h);
  return by_inertia > 0 ? std::min(by_elasticity, by_inertia) : by_elasticity;
}

namespace {

// The diagonal of the smallest body at rest [m]; infinity without bodies.
double smallest_body(const System& system) {
  const std::size_t bodies = system.bodies.size();
  std::vector<Vec3> low(bodies, Vec3::Constant(1e300)), high(bodies, Vec3::Constant(-1e300));
  for (Index i = 0; i < system.dynamic_count; ++i) {
    const Index b = system.vertex_body[i];
    low[b] = low[b].cwiseMin(system.rest.col(i));
    high[b] = high[b].cwiseMax(system.rest.col(i));
  }
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < bodies; ++b) smallest = std::min(smallest, (high[b] - low[b]).norm());
  return smallest;
}

}  // namespace

// In dynamics a body that sticks creeps by less than a thousandth of its size in a fifth of a second.
double resolved_slip_speed(const ContactSetup& contact, const System& system) {
  if (contact.slip_speed != 0) return contact.slip_speed;
  if (system.setup.time.integrator != Integrator::statics)
    return std::min(dynamic_slip, size_slip * smallest_body(system));
  const double motion = largest_prescribed_motion(system);
  return motion > 0 ? slip_share * motion : still_slip * system.diagonal / system.setup.time.steps;
}

}  // namespace sinew
