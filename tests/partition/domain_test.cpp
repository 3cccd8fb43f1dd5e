// What partitions see of a system: stiffness at rest, components and what is held.
#include "sinew/partition/domain.h"

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/mesh/surface.h"
#include "sinew/partition/submesh.h"

namespace sinew {
namespace {

// Two tets that share only an edge.
TetMesh two_tets_at_an_edge() {
  TetMesh mesh;
  mesh.vertices.resize(3, 6);
  mesh.vertices << 0, 0, 1, 0, -1, 0,  //
      0, 0, 0, 1, 0, -1,               //
      0, 1, 0, 0, 0, 0;
  mesh.tets.resize(4, 2);
  mesh.tets << 0, 0, 2, 4, 3, 5, 1, 1;
  return mesh;
}

std::vector<char> nothing_fixed(const System& system) {
  return std::vector<char>(3 * system.dynamic_count, 0);
}

TEST(Domain, KnowsStiffnessMaterialAndComponentOfEachTet) {
  sinew::Setup setup;
  setup.bodies.push_back(test::body("soft", make_box(Vec3::Constant(0.1), {2, 2, 2}),
                                    test::material("neo_hookean", 1e5, 0.4, 1000, "soft")));
  setup.bodies.push_back(test::body("hard", make_box(Vec3::Constant(0.1), {2, 2, 2}),
                                    test::material("stvk", 1e7, 0.3, 1000, "hard"), Vec3(1, 0, 0)));
  const auto system = build_system(std::move(setup));
  const Domain domain = make_domain(*system, nothing_fixed(*system));
  ASSERT_EQ(domain.tet_count(), 80);
  EXPECT_EQ(domain.vertex_count(), 54);
  EXPECT_EQ(domain.component_count, 2);
  for (Index t = 0; t < domain.tet_count(); ++t) {
    const bool hard = domain.vertices(0, domain.tets(0, t)) > 0.5;
    EXPECT_NEAR(domain.young[t], hard ? 1e7 : 1e5, 1e-6 * domain.young[t]);
    EXPECT_EQ(system->material_names[domain.material[t]], hard ? "hard" : "soft");
    EXPECT_EQ(domain.component[t] == domain.component[0], hard == (domain.vertices(0, domain.tets(0, 0)) > 0.5));
  }
  double volume = 0;
  for (const double v : domain.volume) volume += v;
  EXPECT_NEAR(volume, 2e-3, 1e-15);
}

TEST(Domain, FieldsAndFibersCount) {
  sinew::Setup setup;
  const TetMesh mesh = make_box(Vec3::Constant(0.1), {1, 1, 1});
  MaterialAssignment assignment = test::material("neo_hookean", 1e5, 0.4);
  std::vector<double> young;
  for (Index t = 0; t < mesh.tet_count(); ++t) young.push_back(1e5 * std::pow(10.0, t));
  assignment.parameters = assignment.model->resolve({{"young", young}, {"poisson", {0.4}}});
  assignment.fiber_stiffness = {3e5};
  assignment.fiber_direction = Vec3::UnitX();
  setup.bodies.push_back(test::body("cube", mesh, assignment));
  const auto system = build_system(std::move(setup));
  const Domain domain = make_domain(*system, nothing_fixed(*system));
  for (Index t = 0; t < domain.tet_count(); ++t)
    EXPECT_NEAR(domain.young[t], young[system->tet_to_user[t]] + 1e5, 1e-9 * domain.young[t]);
}

TEST(Domain, ModelsWithoutStiffnessAtRestHaveOne) {
  sinew::Setup setup;
  MaterialAssignment assignment;
  assignment.name = "quartic";
  assignment.model = shared_material_model("polynomial");
  assignment.parameters = {{1e4}};
  assignment.density = {1000};
  setup.bodies.push_back(test::body("cube", make_box(Vec3::Constant(0.1), {1, 1, 1}), assignment));
  const auto system = build_system(std::move(setup));
  for (const double young : make_domain(*system, nothing_fixed(*system)).young) EXPECT_GT(young, 0);
}

TEST(Domain, AVertexHeldAlongOneAxisIsFree) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("cube", make_box(Vec3::Constant(0.1), {1, 1, 1}), test::material("neo_hookean", 1e5, 0.4)));
  const auto system = build_system(std::move(setup));
  std::vector<char> fixed = nothing_fixed(*system);
  fixed[0] = 1;
  fixed[3] = fixed[4] = fixed[5] = 1;
  const Domain domain = make_domain(*system, fixed);
  EXPECT_EQ(domain.fixed[0], 0);
  EXPECT_EQ(domain.fixed[1], 1);
  EXPECT_EQ(std::count(domain.fixed.begin(), domain.fixed.end(), 1), 1);
}

TEST(Domain, ComponentsAreJoinedThroughFacesOnly) {
  Index count = 0;
  const std::vector<Index> component = face_components(two_tets_at_an_edge().tets, count);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(component, (std::vector<Index>{0, 1}));
  EXPECT_EQ(connected_components(two_tets_at_an_edge().tets).count, 1);
}

TEST(Submesh, KeepsTheOrderOfItsTetsAndSortsItsVertices) {
  Domain domain;
  const TetMesh mesh = make_box(Vec3::Constant(1), {3, 3, 3});
  domain.vertices = mesh.vertices;
  domain.tets = mesh.tets;
  const std::vector<Index> tets{40, 3, 17};
  const Submesh sub = extract(domain, tets);
  EXPECT_EQ(sub.tet, tets);
  EXPECT_TRUE(std::is_sorted(sub.vertex.begin(), sub.vertex.end()));
  for (Index t = 0; t < 3; ++t) {
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(sub.vertex[sub.tets(i, t)], mesh.tets(i, tets[t]));
      EXPECT_EQ(sub.vertices.col(sub.tets(i, t)), mesh.vertices.col(mesh.tets(i, tets[t])));
    }
  }
}

}  // namespace
}  // namespace sinew
