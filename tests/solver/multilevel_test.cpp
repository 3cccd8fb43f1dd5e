// The directions of the multilevel method: they descend whatever is set, and every setting does something.
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "support/bodies.h"

#include "sinew/potential/incremental_potential.h"
#include "sinew/solver/multilevel.h"

namespace sinew {
namespace {

// A bar on the floor, bent and pressed into the contact distance, one end held.
struct Bent {
  std::shared_ptr<const System> system;
  StepContext context;
  std::unique_ptr<IncrementalPotential> potential;
  Points x;

  explicit Bent(const std::function<void(SolverSetup&)>& set = [](SolverSetup&) {}, double stiffness_range = 1) {
    sinew::Setup setup;
    setup.contact.distance = 5e-3;
    setup.contact.stiffness = 1e5;
    setup.contact.friction = 0.3;
    setup.solver.handles = 8;
    setup.solver.multilevel.cache = false;
    set(setup.solver);
    const TetMesh mesh = make_box(Vec3(0.6, 0.1, 0.1), {12, 3, 3});
    setup.bodies.push_back(test::body("bar", mesh, test::material("neo_hookean", 1e5, 0.4)));
    std::mt19937 random(3);
    std::uniform_real_distribution<double> exponent(0, 1);
    UserParameters parameters{{"young", {}}, {"poisson", {0.4}}};
    for (Index t = 0; t < mesh.tet_count(); ++t)
      parameters["young"].push_back(1e4 * std::pow(stiffness_range, exponent(random)));
    MaterialAssignment& material = setup.bodies[0].materials[0];
    material.parameters = material.model->resolve(parameters);
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
    context.fixed.assign(3 * n, 0);
    for (const PrescribedVertex& p : system->prescribed)
      for (int k = 0; k < 3; ++k) context.fixed[3 * p.vertex + k] = p.axes[k];
    context.step = 0.01;
    context.scale = 1e-4;
    context.start = x;
    context.reference = x;
    context.predictor = x;
    context.predictor.row(1).array() -= 1e-3;
    context.target = x;
    const std::vector<PlaneState> planes = plane_states();
    context.plane_start = context.plane_end = planes;
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

}  // namespace
}  // namespace sinew
