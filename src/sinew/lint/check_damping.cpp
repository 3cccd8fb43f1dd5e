// How strongly implicit Euler damps the slowest swing of a scene.

#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/lint/check_parts.h"
#include "sinew/modes/linear_modes.h"

namespace sinew {
namespace {

constexpr double worth_telling = 0.1;  // loss of amplitude a period
constexpr Index most_swung = 30'000;   // beyond which a factorisation takes long

struct Swing {
  double omega = std::numeric_limits<double>::infinity();  // [1/s]
  std::string body;
};

// A body that its supports let turn swings in gravity about them: omega^2 = g M d / I, the centre of mass at distance d
// from the axis and hanging, I the moment of inertia about it. 0: it hangs in balance, or nothing lets it swing.
double pendulum2(const RestBody& body, const Vec3& gravity) {
  const Points& x = body.rest();
  const MatX& motions = body.rigid();
  double slowest = std::numeric_limits<double>::infinity();
  for (Eigen::Index k = 0; k < motions.cols(); ++k) {
    // A motion u of unit mass norm that turns by w(u): the second-order drop of the weight, sum m g . (w x u) / 2, is
    // the stiffness, as each vertex follows an arc. w from the fit u = a + w x r about the centre of mass.
    double mass = 0;
    Vec3 center = Vec3::Zero(), mean = Vec3::Zero();
    for (Index i = 0; i < static_cast<Index>(x.cols()); ++i) {
      const double m = body.mass()[3 * i];
      mass += m;
      center += m * x.col(i);
      mean += m * motions.col(k).segment<3>(3 * i);
    }
    center /= mass;
    mean /= mass;
    Mat3 inertia = Mat3::Zero();
    Vec3 spin = Vec3::Zero();
    for (Index i = 0; i < static_cast<Index>(x.cols()); ++i) {
      const double m = body.mass()[3 * i];
      const Vec3 r = x.col(i) - center, u = motions.col(k).segment<3>(3 * i) - mean;
      inertia += m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
      spin += m * r.cross(u);
    }
    const Vec3 turn = inertia.ldlt().solve(spin);
    const double stiffness = -mass * gravity.dot(turn.cross(mean));  // of sum m |u|^2 = 1
    if (stiffness > 0) slowest = std::min(slowest, stiffness);
  }
  return std::isfinite(slowest) ? slowest : 0;
}

Swing slowest_swing(const System& system, double time) {
  std::vector<char> fixed(3 * static_cast<std::size_t>(system.dynamic_count), 0);
  for (const PrescribedVertex& p : system.prescribed)
    for (int k = 0; k < 3; ++k)
      if (p.axes[k] && p.holds_at(time)) fixed[3 * static_cast<std::size_t>(p.vertex) + k] = 1;
  Swing slowest;
  for (RestBody& body : rest_bodies(system, fixed)) {
    if (body.is_free() || body.free_count() == 0) continue;
    double omega2 = 0;
    if (body.rigid().cols() > 0) {
      omega2 = pendulum2(body, system.setup.gravity);
    } else {
      const BodyModes modes = linear_modes_of(body, 1);
      if (modes.values.size() > 0) omega2 = modes.values[0];
    }
    if (!(omega2 > 0) || std::sqrt(omega2) >= slowest.omega) continue;
    slowest = {std::sqrt(omega2), body.name()};
  }
  return slowest;
}

}  // namespace

void check_damping(const System& system, double time, Findings& findings) {
  const TimeSetup& setup = system.setup.time;
  if (setup.integrator != Integrator::implicit_euler || system.dynamic_count > most_swung) return;
  if (system.prescribed.empty() || system.triangle_count() > 0) return;
  Swing swing;
  try {
    swing = slowest_swing(system, time);
  } catch (const InputError&) {  // a material without stiffness at rest: nothing is known of its swings
    return;
  }
  if (!std::isfinite(swing.omega)) return;
  // Implicit Euler multiplies an oscillation by 1 / (1 - i omega h) a step: the amplitude by (1 + (omega h)^2)^(-1/2),
  // the phase by atan(omega h).
  const double turn = swing.omega * setup.step;
  const double loss = 1 - std::exp(-std::numbers::pi * std::log1p(turn * turn) / std::atan(turn));
  if (!(loss > worth_telling)) return;
  const double period = 2 * std::numbers::pi / swing.omega;
  // exp(-pi omega h) = 1 - worth_telling for small steps.
  const double step = -std::log(1 - worth_telling) / (std::numbers::pi * swing.omega);
  findings.add(
      {"damping",
       Severity::remark,
       fmt::format("implicit Euler damps {:.0f} % of the amplitude of the slowest vibration of {} in each period "
                   "({:.3g} s, {:.2g} steps)",
                   100 * loss, swing.body, period, period / setup.step),
       fmt::format("if the body should keep vibrating, set time.integrator to bdf2, or time.step to {:.1g} s", step),
       {},
       loss});
}

}  // namespace sinew
