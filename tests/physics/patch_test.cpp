// Patch test: with an affine displacement prescribed on the whole boundary, the static equilibrium of any mesh is the
// same affine field inside.
#include <algorithm>
#include <random>
#include <set>

#include "support/bodies.h"
#include "support/run.h"

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

Mat3 stretch_and_shear() {
  Mat3 F;
  F << 1.15, 0.10, -0.05,  //
      0.04, 0.90, 0.12,    //
      -0.08, 0.06, 1.05;
  return F;
}

// A box whose interior nodes are moved by up to a fifth of a cell.
TetMesh irregular_box(const std::set<Index>& boundary, TetMesh mesh, double cell) {
  std::mt19937_64 random(7);
  const auto jitter = [&] { return 0.4 * cell * (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5); };
  for (Index i = 0; i < mesh.vertex_count(); ++i) {
    if (boundary.contains(i)) continue;
    for (int k = 0; k < 3; ++k) mesh.vertices(k, i) += jitter();
  }
  return mesh;
}

class Patch : public ::testing::TestWithParam<const char*> {};

TEST_P(Patch, InteriorFollowsAnAffineBoundary) {
  const double size = 0.4;
  const TetMesh regular = make_box(Vec3::Constant(size), {4, 4, 4});
  const std::vector<Index> surface = used_vertices(boundary_triangles(regular.tets));
  const std::set<Index> boundary(surface.begin(), surface.end());
  const TetMesh mesh = irregular_box(boundary, regular, size / 4);
  ASSERT_LT(surface.size(), static_cast<std::size_t>(mesh.vertex_count()));

  const Mat3 F = stretch_and_shear();
  const Vec3 shift(0.3, -0.2, 0.1);
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 2;
  setup.solver.tolerance = 1e-13;
  setup.bodies.push_back(test::body("box", mesh, test::material(GetParam(), 1e6, 0.4)));
  for (Index i : surface) {
    FixSetup fix;
    fix.vertices = {i};
    MatX keys(3, 2);
    keys.col(0).setZero();
    keys.col(1) = F * mesh.vertices.col(i) + shift - mesh.vertices.col(i);
    fix.motion.translation = Keyframes{{0, 1}, keys};
    setup.bodies[0].fixes.push_back(std::move(fix));
  }
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, 2);

  const System& system = simulation.system();
  double error = 0, displacement = 0;
  for (Index i = 0; i < system.dynamic_count; ++i) {
    const Vec3 X = system.rest.col(i), x = simulation.state().x.col(i), expected = F * X + shift;
    error = std::max(error, (x - expected).norm());
    displacement = std::max(displacement, (expected - X).norm());
  }
  RecordProperty("relative_error", std::to_string(error / displacement * 1e10) + "e-10");
  EXPECT_LE(error, 1e-10 * displacement);

  // One stress everywhere.
  Eigen::MatrixXd cauchy;
  std::vector<double> von_mises;
  simulation.stress(cauchy, von_mises);
  const Eigen::VectorXd first = cauchy.col(0);
  EXPECT_GT(first.norm(), 1e4);
  for (Index t = 0; t < system.tet_count(); ++t) EXPECT_LE((cauchy.col(t) - first).norm(), 1e-9 * first.norm()) << t;
}

INSTANTIATE_TEST_SUITE_P(Materials, Patch, ::testing::Values("neo_hookean", "stable_neo_hookean"));

}  // namespace
}  // namespace sinew
