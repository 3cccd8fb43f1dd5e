// Cloth sewn to flesh: tied vertices follow, whichever side of the cloth looks at the body, by all methods with ties.
#include "support/run.h"
#include "support/ties.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew::cloth_ties_test {
namespace {

using ::testing::HasSubstr;

// A block fixed at its left end with a sheet sewn to its top, 0.005 m above it; a flap of the sheet is free.
sinew::Setup sewn(const char* method, bool turned) {
  sinew::Setup setup;
  setup.bodies.push_back(test::body("flesh", make_box(Vec3(0.4, 0.1, 0.1), {8, 2, 2}),
                                    test::material("stable_neo_hookean", 2e4, 0.4), Vec3(0, -0.05, 0)));
  setup.bodies.push_back(test::cloth("patch", make_sheet({0.22, 0.06}, {11, 3}), test::springs(1e5, 300, 1e-3, 0.05),
                                     Vec3(0.1, 0.005, 0)));
  BodySetup& patch = setup.bodies[1];
  if (turned) patch.mesh.triangles.row(1).swap(patch.mesh.triangles.row(2));
  FixSetup fix;
  fix.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[0] < -0.199; });
  setup.bodies[0].fixes = {fix};
  TieSetup tie;
  tie.body = 1;
  tie.to = 0;
  std::vector<Index> faces;
  for (Index f = 0; f < patch.mesh.triangles.cols(); ++f) {
    double most = -1;
    for (int k = 0; k < 3; ++k) most = std::max(most, patch.mesh.vertices(0, patch.mesh.triangles(k, f)));
    if (most < 0.16) faces.push_back(f);
  }
  tie.faces = patch.mesh.triangles(Eigen::all, faces);
  tie.to_faces = test::faces_where(setup.bodies[0].mesh, [](const Vec3& x) { return x[1] > -1e-9; });
  setup.ties = {tie};
  setup.contact.distance = 1e-3;
  setup.solver.method = method;
  setup.solver.tolerance = 1e-6;
  setup.solver.iterations = 0;
  setup.solver.max_iterations = 2000;
  return setup;
}

Points run(const char* method, bool turned) {
  Simulation simulation(build_system(sewn(method, turned)));
  const System& system = simulation.system();
  EXPECT_GT(system.ties[0].vertices.size(), 20u);
  test::run_checked(simulation, 15);
  for (std::size_t i = 0; i < system.ties[0].vertices.size(); ++i) {
    Vec3 expected = Vec3::Zero();
    for (const Embedding::Entry& entry : system.ties[0].rows[i])
      expected += entry.weight * simulation.state().x.col(entry.vertex);
    EXPECT_LT((simulation.state().x.col(system.ties[0].vertices[i]) - expected).norm(), 1e-9) << method;
  }
  return system.to_user(simulation.state().x - system.rest);
}

TEST(ClothTies, SewnClothFollowsByAllMethods) {
  const Points u = run("newton", false);
  EXPECT_GT(u.cwiseAbs().maxCoeff(), 0.02);
  for (const char* method : {"newton-pcg", "quasi_newton"})
    EXPECT_LT((run(method, false) - u).norm(), 1e-2 * u.norm()) << method;
  EXPECT_LT((run("newton", true) - u).norm(), 1e-4 * u.norm());
}

TEST(ClothTies, NothingFollowsCloth) {
  sinew::Setup setup = sewn("newton", false);
  std::swap(setup.ties[0].body, setup.ties[0].to);
  std::swap(setup.ties[0].faces, setup.ties[0].to_faces);
  EXPECT_THAT([&] { build_system(setup); }, testing::ThrowsMessage<InputError>(HasSubstr("which nothing can follow")));
}

}  // namespace
}  // namespace sinew::cloth_ties_test
