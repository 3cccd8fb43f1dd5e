// Newmark's rule and affine bodies, whose shape vibrates faster than steps resolve.

#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "sinew/lint/check_parts.h"

namespace sinew {
namespace {

constexpr double resolved = 1;  // radians of the vibration in a step

// The slowest vibration of the shape of an affine body of mass m, omega^2 = E V / (m s^2), s^2 the largest second
// moment of its four control points (model/affine_body.h), whose tet of volume v has 2 mu v = E V.
double shape_frequency(const System& system, Index tet, double mu) {
  Eigen::Matrix<double, 3, 4> corner;
  double mass = 0;
  for (int k = 0; k < 4; ++k) {
    corner.col(k) = system.rest.col(system.tets(k, tet));
    mass += system.mass[system.tets(k, tet)];
  }
  const Vec3 center = corner.rowwise().mean();
  corner.colwise() -= center;
  const Eigen::SelfAdjointEigenSolver<Mat3> spread(corner * corner.transpose() / 4, Eigen::EigenvaluesOnly);
  const double volume =
      std::abs(
          (corner.col(1) - corner.col(0)).dot((corner.col(2) - corner.col(0)).cross(corner.col(3) - corner.col(0)))) /
      6;
  return std::sqrt(2 * mu * volume / (mass * spread.eigenvalues()[2]));
}

}  // namespace

// With gamma = 1/2 nothing damps what a step does not resolve; the vibration is turned into others and back, and takes
// part in how the body moves.
void check_newmark(const System& system, Findings& findings) {
  const TimeSetup& time = system.setup.time;
  if (time.integrator != Integrator::newmark || time.newmark_gamma > 0.5) return;
  std::vector<std::string> names;
  double fastest = 0;
  for (const ElasticGroup& group : system.groups)
    for (Index t = group.tet_begin; t < group.tet_end; ++t) {
      if (system.tet_to_user[t] >= 0) continue;
      const std::vector<double>& mu = group.parameters[1];  // St. Venant and Kirchhoff: lambda, mu
      const double turn = shape_frequency(system, t, mu.size() == 1 ? mu[0] : mu[t - group.tet_begin]) * time.step;
      if (!(turn > resolved)) continue;
      names.push_back(system.bodies[system.tet_body[t]].name);
      fastest = std::max(fastest, turn);
    }
  if (names.empty()) return;
  const std::string first = names[0], others = names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "";
  findings.add({"newmark", Severity::warning,
                fmt::format("the shape of affine body '{}'{} vibrates by {:.3g} radians in a step, which Newmark's "
                            "rule neither resolves nor damps: spins and impacts of the body become wrong",
                            first, others, fastest),
                "set time.integrator to bdf2", std::move(names), fastest});
}

}  // namespace sinew
