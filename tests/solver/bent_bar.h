// A bar in contact and bent, at which directions are found.
#pragma once

#include <cmath>
#include <functional>
#include <random>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/potential/incremental_potential.h"
#include "sinew/solver/descent_direction.h"

namespace sinew::test {

// A bar on the floor, bent and pressed into the contact distance, one end held.
struct Bent {
  std::shared_ptr<const System> system;
  StepContext context;
  std::unique_ptr<IncrementalPotential> potential;
  Points x;

  explicit Bent(
      const std::function<void(SolverSetup&)>& set = [](SolverSetup&) {}, double stiffness_range = 1) {
    sinew::Setup setup;
    setup.contact.distance = 5e-3;
    setup.contact.stiffness = 1e5;
    setup.contact.friction = 0.3;
    setup.solver.handles = 9;
    setup.solver.multilevel.cache = false;
    set(setup.solver);
    const TetMesh mesh = make_box(Vec3(0.6, 0.1, 0.1), {12, 3, 3});
    setup.bodies.push_back(test::body("bar", mesh, test::material("neo_hookean", 1e4, 0.4)));
    setup.bodies[0].materials.clear();
    std::mt19937 random(3);
    std::uniform_real_distribution<double> exponent(0, 1);
    for (const double side : {-1.0, 1.0}) {
      MaterialAssignment half = test::material("neo_hookean", 1e4, 0.4, 1000, side < 0 ? "left" : "right");
      UserParameters parameters{{"young", {}}, {"poisson", {0.4}}};
      for (Index t = 0; t < mesh.tet_count(); ++t) {
        if (side * mesh.vertices(Eigen::all, mesh.tets.col(t)).row(0).sum() < 0) continue;
        half.tets.push_back(t);
        parameters["young"].push_back(1e4 * std::pow(stiffness_range, exponent(random)));
      }
      half.parameters = half.model->resolve(parameters);
      setup.bodies[0].materials.push_back(half);
    }
    FixSetup held;
    held.vertices = test::select_vertices(mesh, [](const Vec3& p) { return p.x() < -0.299; });
    setup.bodies[0].fixes = {held};
    setup.obstacles.push_back(test::floor_plane(-0.054));
    system = build_system(std::move(setup));

    const Index n = system->dynamic_count;
    x = system->rest;
    for (Index i = 0; i < n; ++i) {
      const Vec3 X = system->rest.col(i);
      const double s = X.x() + 0.3;
      x(1, i) += 0.2 * s * s + 0.002 * std::sin(40 * X.x());
      x(2, i) += 0.1 * s * s * X.y() * 10;
    }
    context.prescribed.assign(3 * n, 0);
    for (const PrescribedVertex& p : system->prescribed)
      for (int k = 0; k < 3; ++k) context.prescribed[3 * p.vertex + k] = p.axes[k];
    context.step = context.reference_step = 0.01;
    context.scale = 1e-4;
    context.start = x;
    context.reference = x;
    context.predictor = x;
    context.predictor.row(1).array() -= 1e-3;
    context.target = x;
    const std::vector<PlaneState> planes = plane_states();
    context.plane_start = context.plane_reference = context.plane_end = planes;
    potential = std::make_unique<IncrementalPotential>(system);
    potential->begin_step(context, system->contact_stiffness);
    potential->set_contacts(x, planes);
  }

  std::vector<PlaneState> plane_states() const {
    std::vector<PlaneState> planes;
    for (const PlaneSetup& plane : system->planes) planes.push_back({plane.point, plane.normal});
    return planes;
  }
};

struct Found {
  Points d, g;
  DirectionResult result;
};

// The last of `count` directions at the same place, after line searches that took `alpha`.
inline Found direction_of(Bent& bent, FullSpaceDirection& direction, int count = 1, double alpha = 0.25) {
  direction.begin_step(bent.context, *bent.potential);
  Found found;
  for (int i = 0; i < count; ++i) {
    found.d.setZero(3, bent.system->vertex_count());
    found.result = direction.direction(bent.x, Points(), found.g, found.d);
    direction.accepted(bent.x, alpha, 1);
  }
  return found;
}

inline double slope(const Found& found) {
  return (found.g.array() * found.d.leftCols(found.g.cols()).array()).sum();
}

inline bool same(const Points& a, const Points& b) {
  return a.cols() == b.cols() && (a - b).isZero(0);
}

// H d at the free coordinates, with the projected Hessian at bent.x, and g = grad E there; d of all vertices.
inline Points hessian_times(Bent& bent, const Points& d, Points& g) {
  Points Hd(3, bent.system->dynamic_count);
  SymBlockMatrix H;
  bent.potential->derivatives(bent.x, {}, g, H);
  H.constrain(bent.context.prescribed, 0);
  const Points inner = d.leftCols(Hd.cols());
  H.multiply(inner.data(), Hd.data());
  return Hd;
}

// (d^T H d)^(1/2)
inline double energy_norm(Bent& bent, const Points& d) {
  Points g;
  const Points Hd = hessian_times(bent, d, g);
  return std::sqrt((d.leftCols(Hd.cols()).array() * Hd.array()).sum());
}

// |g + H d| / |g| over the free coordinates.
inline double relative_residual(Bent& bent, const Points& d) {
  Points g;
  const Points Hd = hessian_times(bent, d, g);
  double left = 0, all = 0;
  for (Index i = 0; i < Hd.cols(); ++i) {
    if (bent.context.prescribed[3 * i]) continue;
    left += (g.col(i) + Hd.col(i)).squaredNorm();
    all += g.col(i).squaredNorm();
  }
  return std::sqrt(left / all);
}

}  // namespace sinew::test
