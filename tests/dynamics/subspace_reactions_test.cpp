// What constraints carry in methods in a subspace.
#include "support/bodies.h"
#include "support/run.h"

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// A bar along x that is clamped at one end, for one load step without gravity.
sinew::Setup clamped_bar(const char* method, int handles) {
  sinew::Setup setup;
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 1;
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.solver.method = method;
  setup.solver.handles = handles;
  const TetMesh mesh = make_box(Vec3(0.2, 0.02, 0.02), {20, 2, 2});
  setup.bodies.push_back(test::body("bar", mesh, test::material("neo_hookean", 1e6, 0.3)));
  FixSetup fix;
  fix.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[0] < -0.0999; });
  setup.bodies[0].fixes.push_back(fix);
  return setup;
}

// A few handles bend a bar badly: the clamp still carries its weight, and the moment.
TEST(SubspaceReactions, BalanceTheLoad) {
  for (const char* method : {"reduced", "mixed"}) {
    sinew::Setup setup = clamped_bar(method, 4);
    setup.gravity = Vec3(0, -9.81, 0);
    Simulation simulation(build_system(std::move(setup)));
    EXPECT_TRUE(simulation.step().converged);
    const Points reaction = simulation.forces().reaction;
    const Points& x = simulation.state().x;
    const double weight = 9.81 * 1000 * 0.2 * 0.02 * 0.02;
    const Vec3 force = reaction.rowwise().sum();
    EXPECT_LT((force - Vec3(0, weight, 0)).norm(), 1e-6 * weight) << method;
    Vec3 moment = Vec3::Zero(), wanted = Vec3::Zero();  // about the origin
    for (Index i = 0; i < reaction.cols(); ++i) {
      moment += x.col(i).cross(reaction.col(i));
      wanted += x.col(i).cross(Vec3(0, 9.81 * simulation.system().mass[i], 0));
    }
    EXPECT_LT((moment - wanted).norm(), 1e-6 * 0.2 * weight) << method;
  }
}

// The clamp carries a pressure that follows the faces, as it has turned with them.
TEST(SubspaceReactions, BalanceAPressure) {
  for (const char* subspace : {"eigenmodes", "linear"}) {
    sinew::Setup setup = clamped_bar("reduced", 6);
    setup.solver.subspace = subspace;
    setup.solver.cubature_rule = "all";
    const TetMesh& mesh = setup.bodies[0].mesh;
    LoadSetup load;
    load.kind = LoadKind::pressure;
    load.pressure = 10;
    const Triangles all = boundary_triangles(mesh.tets);
    std::vector<Index> top;
    for (Index f = 0; f < all.cols(); ++f) {
      bool above = true;
      for (int k = 0; k < 3; ++k) above &= mesh.vertices(1, all(k, f)) > 0.00999;
      if (above) top.push_back(f);
    }
    load.faces = all(Eigen::all, top);
    setup.bodies[0].loads = {load};
    Simulation simulation(build_system(std::move(setup)));
    EXPECT_TRUE(simulation.step().converged);
    const Points x = simulation.system().to_user(simulation.state().x.leftCols(simulation.system().dynamic_count));
    Vec3 pushed = Vec3::Zero();
    for (Index f = 0; f < load.faces.cols(); ++f) {
      const Vec3 a = x.col(load.faces(0, f)), b = x.col(load.faces(1, f)), c = x.col(load.faces(2, f));
      pushed -= load.pressure * 0.5 * (b - a).cross(c - a);
    }
    ASSERT_GT(pushed.norm(), 0.03);
    // The border of the patch is taken where the step began.
    const Vec3 reaction = simulation.forces().reaction.rowwise().sum();
    EXPECT_LT((reaction + pushed).norm(), 0.02 * pushed.norm()) << subspace;
  }
}

}  // namespace
}  // namespace sinew
