#include "sinew/perturbation/static_potential.h"

#include "linalg/linalg_fixtures.h"
#include "perturbation/columns.h"
#include <gtest/gtest.h>

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// The stiffness of pressure on one side of a bar is the symmetric part of the derivative of its true forces.
TEST(FollowerStiffness, IsTheSymmetricPartOfTheTrueOne) {
  sinew::Setup setup = test::column_setup(Vec3::Zero());
  setup.sensors.clear();
  setup.bodies[0].fixes.clear();
  LoadSetup load;
  load.kind = LoadKind::pressure;
  load.pressure = 3e4;
  const TetMesh mesh = make_box(Vec3(1, 0.04, 0.05), {2, 1, 1});
  setup.bodies[0].mesh = mesh;
  const Triangles all = boundary_triangles(mesh.tets);
  std::vector<Index> side;
  for (Index f = 0; f < all.cols(); ++f) {
    bool on = true;
    for (int k = 0; k < 3; ++k) on = on && mesh.vertices(1, all(k, f)) > 0.019;
    if (on) side.push_back(f);
  }
  load.faces = all(Eigen::all, side);
  setup.bodies[0].loads.push_back(load);
  const auto system = static_system(*build_system(std::move(setup)), ContactTangent::open);
  const Index n = system->dynamic_count;
  State state = initial_state(*system, 1);
  const MatX H = test::dense(StaticPotential(system, state, 1).hessian(state.x));
  MatX J(3 * n, 3 * n);
  const double h = 1e-6;
  for (Index c = 0; c < 3 * n; ++c) {
    Points g[2];
    for (int side_of = 0; side_of < 2; ++side_of) {
      State moved = state;
      moved.x.data()[c] += side_of == 0 ? h : -h;
      g[side_of] = StaticPotential(system, moved, 1).gradient(moved.x);  // lags the border's forces there
    }
    const Points change = (g[0] - g[1]) / (2 * h);
    J.col(c) = Eigen::Map<const VecX>(change.data(), 3 * n);
  }
  EXPECT_GT((J - J.transpose()).norm(), 1e-4 * load.pressure);
  EXPECT_LT((H - (J + J.transpose()) / 2).norm(), 1e-7 * H.norm());
}

}  // namespace
}  // namespace sinew
