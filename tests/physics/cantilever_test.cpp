// A slender cantilever with an end force against Timoshenko's beam under refinement.
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

constexpr double length = 0.8, width = 0.1, young = 1e6, poisson = 0.3;
constexpr double end_force = 1e-3;  // [N]: a deflection of 2e-5 of the length, well within linear elasticity

// P L^3 / (3 E I) + P L / (kappa G A), kappa of a square section after Cowper (1966).
double timoshenko_deflection() {
  const double inertia = std::pow(width, 4) / 12, area = width * width;
  const double shear = young / (2 * (1 + poisson)), kappa = 10 * (1 + poisson) / (12 + 11 * poisson);
  return end_force * std::pow(length, 3) / (3 * young * inertia) + end_force * length / (kappa * shear * area);
}

Triangles end_faces(const TetMesh& mesh) {
  const Triangles all = boundary_triangles(mesh.tets);
  Triangles faces(3, all.cols());
  Index count = 0;
  for (Index f = 0; f < all.cols(); ++f) {
    bool end = true;
    for (int k = 0; k < 3; ++k) end &= mesh.vertices(0, all(k, f)) > 0.499 * length;
    if (end) faces.col(count++) = all.col(f);
  }
  return faces.leftCols(count);
}

// Mean deflection of the end over the theory's, with `cells` cells across the section.
double deflection_ratio(Index cells) {
  const TetMesh mesh = make_box(Vec3(length, width, width), {8 * cells, cells, cells});
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 1;
  setup.time.ramp = false;
  setup.solver.tolerance = 1e-10;
  setup.bodies.push_back(test::body("beam", mesh, test::material("stable_neo_hookean", young, poisson)));
  FixSetup clamp;
  clamp.vertices = test::select_vertices(mesh, [](const Vec3& p) { return p.x() < -0.499 * length; });
  setup.bodies[0].fixes.push_back(clamp);
  LoadSetup load;
  load.kind = LoadKind::force;
  load.faces = end_faces(mesh);
  load.vector = Vec3(0, -end_force, 0);
  setup.bodies[0].loads.push_back(load);
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, 1);

  const System& system = simulation.system();
  double sum = 0;
  int count = 0;
  for (Index i = 0; i < system.dynamic_count; ++i) {
    if (system.rest(0, i) < 0.499 * length) continue;
    sum += system.rest(1, i) - simulation.state().x(1, i);
    ++count;
  }
  return sum / count / timoshenko_deflection();
}

// Linear tets are too stiff in bending, by an error that falls with the square of the cell.
void expect_convergence(const std::vector<Index>& cells, double finest_error) {
  double before = 0;
  for (Index n : cells) {
    const double ratio = deflection_ratio(n);
    ::testing::Test::RecordProperty("ratio_" + std::to_string(n), std::to_string(ratio));
    std::printf("cells across %d: deflection / Timoshenko %.4f\n", n, ratio);
    EXPECT_GT(ratio, before) << n << " cells";
    EXPECT_LT(ratio, 1.005) << n << " cells";
    if (before > 0) {
      EXPECT_LT(1 - ratio, 0.5 * (1 - before)) << n << " cells";
    }
    before = ratio;
  }
  EXPECT_NEAR(before, 1, finest_error);
}

TEST(Cantilever, ConvergesToTimoshenko) {
  expect_convergence({2, 4}, 0.15);
}

TEST(Cantilever, LongConvergesToTimoshenkoWithinFourPercent) {
  expect_convergence({2, 4, 8}, 0.04);
}

}  // namespace
}  // namespace sinew
