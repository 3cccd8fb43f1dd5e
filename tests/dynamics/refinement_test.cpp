// The last direction of a step of the multilevel method is a good one, however little refinement the others get.
#include <cmath>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/dynamics/simulation.h"

namespace sinew {
namespace {

struct Result {
  Points x;
  int iterations = 0;
  bool converged = true;
  std::string reason;
};

Result run(sinew::Setup setup, const char* method, int steps) {
  setup.solver.method = method;
  setup.solver.multilevel.cache = false;
  Simulation simulation(build_system(std::move(setup)));
  Result result;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = simulation.step();
    result.iterations += report.newton_iterations;
    result.converged &= report.converged;
    if (!report.converged) result.reason = report.reason;
  }
  result.x = simulation.state().x;
  return result;
}

double error(const Result& a, const Result& b) {
  return (a.x - b.x).colwise().norm().maxCoeff();
}

// A few iterations of CG move a stiff body hardly at all: without levels it would hang in the air.
TEST(Refinement, CappedDirectionsDoNotEndAStep) {
  sinew::Setup setup;
  setup.time.step = 0.01;
  setup.contact.enabled = false;
  setup.solver.tolerance = 1e-3;
  setup.bodies.push_back(
      test::body("beam", make_box(Vec3(1, 0.05, 0.05), {40, 2, 2}), test::material("neo_hookean", 1e9, 0.3)));
  setup.bodies[0].velocity = Vec3(0, 1, 0);
  setup.solver.multilevel.printed = PrintedSetup{
      .affine = false, .subspace = false, .cubature_hessian = false, .refinement = 5, .stop_by_subspace = false};
  const Result newton = run(setup, "newton", 3), capped = run(setup, "multilevel", 3);
  EXPECT_TRUE(capped.converged) << capped.reason;
  EXPECT_LT(error(newton, capped), 3 * 1e-3 * 0.01);
  // Where even linear_iterations are too few the step has not converged.
  setup.solver.linear_iterations = 10;
  setup.solver.max_iterations = 20;
  const Result truncated = run(setup, "multilevel", 1);
  EXPECT_FALSE(truncated.converged);
  EXPECT_NE(truncated.reason.find("linear_iterations"), std::string::npos) << truncated.reason;
}

// Block diagonals of nearly incompressible bodies are far stiffer than what bends: the preconditioner overlooks most of
// the error that is left.
TEST(Refinement, NearlyIncompressibleBodiesConverge) {
  sinew::Setup setup;
  setup.time.step = 1;
  setup.contact.enabled = false;
  setup.solver.tolerance = 1e-3;
  setup.solver.max_iterations = 300;
  setup.bodies.push_back(
      test::body("block", make_box(Vec3(1, 0.4, 0.4), {10, 4, 4}), test::material("neo_hookean", 1e5, 0.4999)));
  FixSetup held;
  held.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& p) { return p.x() < -0.499; });
  setup.bodies[0].fixes = {held};
  const Result newton = run(setup, "newton", 1), multilevel = run(setup, "multilevel", 1);
  std::printf("%d iterations of newton, %d of multilevel, error %.3g\n", newton.iterations, multilevel.iterations,
              error(newton, multilevel));
  EXPECT_TRUE(newton.converged && multilevel.converged) << multilevel.reason;
  EXPECT_LT(error(newton, multilevel), 0.01);
}

// A bar with stiff slabs: however stiff they are, conjugate gradients take a few times as many iterations as for a bar
// of one material, where block Jacobi alone takes ever more.
TEST(Refinement, StiffPiecesCostFewIterations) {
  const auto iterations = [](const char* method, double ratio) {
    sinew::Setup setup;
    setup.contact.enabled = false;
    setup.solver.method = method;
    setup.solver.max_iterations = 1;
    setup.solver.linear_tolerance = 1e-8;
    setup.solver.handles = 2;
    setup.solver.multilevel.cache = false;
    const TetMesh mesh = make_box(Vec3(2.4, 0.3, 0.3), {24, 3, 3});
    setup.bodies.push_back(test::body("bar", mesh, test::material("neo_hookean", 1e5, 0.3, 1000, "soft")));
    std::vector<MaterialAssignment>& materials = setup.bodies[0].materials;
    materials.push_back(test::material("neo_hookean", ratio * 1e5, 0.3, 1000, "stiff"));
    for (Index t = 0; t < mesh.tet_count(); ++t) {
      const double cell = mesh.vertices(Eigen::all, mesh.tets.col(t)).row(0).mean() / 0.1 + 12;
      materials[std::fmod(cell, 6) > 3 ? 1 : 0].tets.push_back(t);
    }
    FixSetup held;
    held.vertices = test::select_vertices(mesh, [](const Vec3& p) { return p.x() < -1.199; });
    setup.bodies[0].fixes = {held};
    Simulation simulation(build_system(std::move(setup)));
    return simulation.step().linear_iterations;
  };
  const long soft = iterations("newton-multilevel", 1), stiff = iterations("newton-multilevel", 1e4);
  const long jacobi = iterations("newton-pcg", 1e4);
  std::printf("%ld iterations for one material, %ld for stiffness 1e4 apart, %ld by block Jacobi\n", soft, stiff,
              jacobi);
  EXPECT_LT(stiff, 5 * soft);
  EXPECT_LT(stiff, jacobi / 3);
}

}  // namespace
}  // namespace sinew
