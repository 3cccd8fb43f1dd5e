// Moments and remote forces on a held bar, by all methods.
#include "support/bodies.h"
#include "support/run.h"
#include <gtest/gtest.h>

#include "sinew/mesh/surface.h"

namespace sinew::moment_runs_test {
namespace {

const Vec3 lever(0.5, 0.4, 0), pull(0, -3, 8), torque(4, 0, 1);

sinew::Setup held_bar(const char* method, LoadKind kind) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 2;
  setup.contact.enabled = false;
  setup.contact.friction_tolerance = 1e-4;
  setup.solver.method = method;
  setup.solver.subspace = "full";
  setup.solver.tolerance = 1e-9;
  setup.bodies.push_back(
      test::body("bar", make_box(Vec3(1, 0.2, 0.2), {8, 2, 2}), test::material("stable_neo_hookean", 1e6, 0.3)));
  BodySetup& body = setup.bodies[0];
  FixSetup fix;
  fix.vertices = test::select_vertices(body.mesh, [](const Vec3& x) { return x[0] < -0.499; });
  body.fixes = {fix};
  const Triangles all = boundary_triangles(body.mesh.tets);
  std::vector<Index> end;
  for (Index f = 0; f < all.cols(); ++f)
    if (body.mesh.vertices(0, all(0, f)) + body.mesh.vertices(0, all(1, f)) + body.mesh.vertices(0, all(2, f)) > 1.49)
      end.push_back(f);
  LoadSetup load;
  load.kind = kind;
  load.faces = all(Eigen::all, end);
  load.vector = kind == LoadKind::moment ? torque : pull;
  if (kind == LoadKind::remote_force) load.point = lever;
  body.loads = {load};
  return setup;
}

Points displacements(const char* method, LoadKind kind) {
  Simulation simulation(build_system(held_bar(method, kind)));
  for (int s = 0; s < 2; ++s) simulation.step();
  return simulation.state().x - simulation.system().rest;
}

TEST(MomentRuns, MethodsAgree) {
  for (const LoadKind kind : {LoadKind::moment, LoadKind::remote_force}) {
    const Points expected = displacements("newton", kind);
    EXPECT_GT(expected.cwiseAbs().maxCoeff(), 0.003);
    for (const char* method : {"newton-pcg", "multilevel", "reduced", "mixed"})
      EXPECT_LT((displacements(method, kind) - expected).norm(), 2e-3 * expected.norm()) << method;
    for (const char* method : {"adaptive", "quasi_newton"})
      EXPECT_LT((displacements(method, kind) - expected).norm(), 5e-2 * expected.norm()) << method;
  }
}

TEST(MomentRuns, ReactionsBalanceThem) {
  for (const LoadKind kind : {LoadKind::moment, LoadKind::remote_force}) {
    Simulation simulation(build_system(held_bar("newton", kind)));
    for (int s = 0; s < 2; ++s) test::checked_step(simulation);
    const Points reaction = simulation.forces().reaction, x = simulation.state().x;
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (Index i = 0; i < reaction.cols(); ++i) {
      force += reaction.col(i);
      moment += x.col(i).cross(Vec3(reaction.col(i)));
    }
    const Vec3 expected = kind == LoadKind::moment ? Vec3(Vec3::Zero()) : pull;
    EXPECT_LT((force + expected).norm(), 1e-3 * pull.norm());
    // The point has moved with the end face; its exact place is not known here.
    if (kind == LoadKind::moment) {
      EXPECT_LT((moment + torque).norm(), 1e-3 * torque.norm());
    } else {
      EXPECT_LT((moment + lever.cross(pull)).norm(), 0.05 * lever.cross(pull).norm());
    }
  }
}

}  // namespace
}  // namespace sinew::moment_runs_test
