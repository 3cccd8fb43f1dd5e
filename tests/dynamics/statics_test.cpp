// Static load steps: which loads are ramped, and what happens without constraints or past the last step.
#include "support/bodies.h"
#include "support/run.h"
#include <gmock/gmock.h>

#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/mesh/surface.h"

namespace sinew::statics_test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// A cube without gravity, 1 m wide, its lower face at y = -0.5.
Setup cube() {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 2;
  setup.solver.tolerance = 1e-9;
  setup.bodies.push_back(
      test::body("cube", make_box(Vec3::Ones(), {2, 2, 2}), test::material("stable_neo_hookean", 1e6, 0.3)));
  return setup;
}

FixSetup bottom(const Setup& setup) {
  FixSetup fix;
  fix.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& v) { return v.y() < -0.499; });
  return fix;
}

LoadSetup pull_on_top(const Setup& setup, double newton) {
  LoadSetup load;
  load.kind = LoadKind::force;
  load.vector = Vec3(0, newton, 0);
  const TetMesh& mesh = setup.bodies[0].mesh;
  const Triangles faces = boundary_triangles(mesh.tets);
  std::vector<Index> top;
  for (Index f = 0; f < faces.cols(); ++f) {
    bool inside = true;
    for (int k = 0; k < 3; ++k) inside &= mesh.vertices(1, faces(k, f)) > 0.499;
    if (inside) top.push_back(f);
  }
  load.faces = faces(Eigen::all, top);
  return load;
}

double reaction(Simulation& simulation) {
  return simulation.forces().reaction.row(1).sum();
}

TEST(Statics, LoadsAreRampedUnlessTheyHaveKeyframes) {
  for (const bool keyed : {false, true}) {
    sinew::Setup setup = cube();
    setup.bodies[0].fixes = {bottom(setup)};
    LoadSetup load = pull_on_top(setup, 1000);
    if (keyed) load.vector_keys = Keyframes{{0, 1}, (MatX(3, 2) << 0, 0, 200, 1000, 0, 0).finished()};
    setup.bodies[0].loads = {load};
    Simulation simulation(build_system(std::move(setup)));
    ASSERT_TRUE(simulation.step().converged);
    EXPECT_NEAR(reaction(simulation), keyed ? -600 : -500, 1e-6);
    ASSERT_TRUE(simulation.step().converged);
    EXPECT_NEAR(reaction(simulation), -1000, 1e-6);
    EXPECT_THAT([&] { simulation.step(); },
                ThrowsMessage<InputError>("all 2 load steps are done: the whole load is on (time.steps)"));
    EXPECT_EQ(simulation.state().step, 2);
  }
}

TEST(Statics, RigidMotionsThatNothingConstrainsAreCounted) {
  const auto free_motions = [](std::vector<FixSetup> fixes) {
    sinew::Setup setup = cube();
    setup.bodies[0].fixes = std::move(fixes);
    const auto system = build_system(std::move(setup));
    const auto pieces = free_pieces(*system, 0, {});
    return pieces.empty() ? 0 : pieces[0].motions;
  };
  const sinew::Setup setup = cube();
  EXPECT_EQ(free_motions({}), 6);
  EXPECT_EQ(free_motions({bottom(setup)}), 0);
  FixSetup sliding = bottom(setup);
  sliding.axes = {false, true, false};
  EXPECT_EQ(free_motions({sliding}), 3);
  FixSetup corner = bottom(setup);
  corner.vertices.resize(1);
  EXPECT_EQ(free_motions({corner}), 3);
  FixSetup edge;
  edge.vertices =
      test::select_vertices(setup.bodies[0].mesh, [](const Vec3& v) { return v.y() < -0.499 && v.x() < -0.499; });
  EXPECT_EQ(free_motions({edge}), 1);
}

TEST(Statics, AFreeBodyIsNamed) {
  sinew::Setup setup = cube();
  setup.gravity = Vec3(0, 0, -9.81);
  FixSetup sliding = bottom(setup);
  sliding.axes = {false, true, false};
  setup.bodies[0].fixes = {sliding};
  Simulation simulation(build_system(std::move(setup)));
  EXPECT_THAT([&] { simulation.step(); },
              ThrowsMessage<SimulationError>(HasSubstr("nothing constrains 3 of the 6 rigid motions of body 'cube'")));
}

}  // namespace
}  // namespace sinew::statics_test
