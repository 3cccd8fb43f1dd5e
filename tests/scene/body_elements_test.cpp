// Elements of a body, from the scene file to the system.
#include <numbers>
#include <numeric>

#include "scene_tools.h"
#include "support/derivatives.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/mesh/quadratic_face.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/model/external_force.h"
#include "sinew/potential/pressure.h"

namespace sinew {
namespace {

using nlohmann::json;
using test::cube_scene;
using testing::HasSubstr;

json cube_of(const std::string& elements) {
  json scene = cube_scene();
  scene["bodies"][0]["elements"] = elements;
  return scene;
}

Setup setup_of(const json& scene) {
  return parse_scene(scene, "", "s.json").setup;
}

TEST(Elements, QuadraticBodiesHaveTheNodesOfTheirEdges) {
  const sinew::Setup setup = setup_of(cube_of("quadratic"));
  const BodySetup& cube = setup.bodies[0];
  EXPECT_EQ(cube.elements, Elements::quadratic);
  EXPECT_EQ(cube.mesh.quadratic.cols(), 40);
  EXPECT_EQ(cube.mesh.tet_count(), 40 * parts_of_quadratic);
  EXPECT_EQ(cube.mesh.vertex_count(), 117);
  const auto system = build_system(setup);
  EXPECT_EQ(system->quadratic_tets.cols(), 40);
  EXPECT_EQ(system->groups.size(), 1U);
  // Its parts are those of each ten-node tet, in its order.
  for (Index t = 0; t < system->tet_count(); ++t)
    for (const Index v : system->tets.col(t))
      EXPECT_TRUE((system->quadratic_tets.col(system->quadratic_of(t)).array() == v).any());
}

// Values by tet are those of the tets of the file.
TEST(Elements, MaterialFieldsAreOfTheTetsOfTheFile) {
  test::Folder folder;
  std::vector<double> young(40);
  std::iota(young.begin(), young.end(), 1000.0);
  folder.write("young.npy", test::npy_doubles("(40,)", young));
  json scene = cube_of("quadratic");
  scene["materials"]["rubber"]["young"] = {{"field", "young.npy"}};
  const auto system = build_system(parse_scene(scene, folder.path, "s.json").setup);
  for (Index t = 0; t < system->tet_count(); ++t) {
    const double mu = system->groups[0].parameters[1][t];
    EXPECT_NEAR(mu * 2 * (1 + 0.4), 1000 + system->tet_to_user[t] / parts_of_quadratic, 1e-9);
  }
  EXPECT_EQ(system->material_fields.at("rubber").at("young").size(), 40U);
}

// Volumes of round primitives of radius 1 converge by the fourth power of the edge length, by the square without nodes
// on the surface. The coarsest meshes do not fold over.
TEST(Elements, RoundPrimitivesKeepTheirSurface) {
  const double pi = std::numbers::pi;
  const std::vector<std::pair<json, double>> shapes = {
      {{{"sphere", {{"radius", 1}}}}, 4 * pi / 3},
      {{{"cylinder", {{"radius", 1}, {"height", 1}, {"axis", "x"}}}}, pi},
      {{{"torus", {{"radius", 3}, {"tube", 1}}}}, 6 * pi * pi},
  };
  for (const auto& [shape, volume] : shapes) {
    double before = 1;
    for (const double size : {2.0, 1.0, 0.5, 0.25}) {
      json scene = cube_of("quadratic");
      scene["bodies"][0]["mesh"] = shape;
      scene["bodies"][0]["mesh"].begin().value()["size"] = size;
      const sinew::Setup setup = parse_scene(scene, ".", "s.json").setup;
      const TetMesh& mesh = setup.bodies[0].mesh;
      double sum = 0;
      for (Index t = 0; t < mesh.quadratic.cols(); ++t) sum += quadratic_tet_volume(mesh.vertices, mesh.quadratic, t);
      const double error = std::abs(sum / volume - 1);
      EXPECT_LT(error, size > 1 ? 0.25 : size > 0.9 ? 0.04 : before / 6) << shape << size;
      before = error;
    }
  }
}

// Mid-nodes of a file of second order keep their places, through a mirroring transform too. Gmsh has other places for
// the last two than VTK.
TEST(Elements, MidNodesOfAFileAreKept) {
  test::Folder folder;
  folder.write("tet.msh", R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
10
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 0.5 -0.05 0
6 0.5 0.5 0.04
7 0 0.5 -0.03
8 -0.02 0 0.5
9 0 0.5 0.55
10 0.52 0 0.5
$EndNodes
$Elements
1
1 11 2 0 1 1 2 3 4 5 6 7 8 9 10
$EndElements
)");
  json scene = cube_of("quadratic");
  scene["bodies"][0]["mesh"] = "tet.msh";
  for (const double side : {1.0, -1.0}) {
    scene["bodies"][0]["transform"] = {{"scale", {side, 1, 1}}};
    const sinew::Setup setup = parse_scene(scene, folder.path, "s.json").setup;
    const TetMesh& mesh = setup.bodies[0].mesh;
    ASSERT_EQ(mesh.quadratic.cols(), 1);
    const auto has = [&](double x, double y, double z) {
      return (mesh.vertices.colwise() - Vec3(side * x, y, z)).colwise().norm().minCoeff() < 1e-15;
    };
    EXPECT_TRUE(has(0.5, -0.05, 0) && has(0.5, 0.5, 0.04) && has(0, 0.5, -0.03) && has(-0.02, 0, 0.5) &&
                has(0, 0.5, 0.55) && has(0.52, 0, 0.5));
    EXPECT_NO_THROW(build_system(setup));
  }
}

TEST(Elements, EdgesThatFoldATetAreRefused) {
  test::Folder folder;
  folder.write(
      "tet.msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0.2 0 0\n6 .5 .5 0\n"
      "7 0 .5 0\n8 0 0 .5\n9 0 .5 .5\n10 .5 0 .5\n$EndNodes\n$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n"
      "$EndElements\n");
  json scene = cube_of("quadratic");
  scene["bodies"][0]["mesh"] = "tet.msh";
  try {
    parse_scene(scene, folder.path, "s.json");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("bodies[0].mesh: ten-node tet 0 folds over at its curved edges"));
  }
}

TEST(Elements, AutoIsMixedForRubberInStatics) {
  json scene = cube_of("auto");
  scene["materials"]["rubber"]["poisson"] = 0.49;
  EXPECT_EQ(setup_of(scene).bodies[0].elements, Elements::linear);  // in dynamics
  scene["time"] = {{"mode", "static"}};
  EXPECT_EQ(setup_of(scene).bodies[0].elements, Elements::quadratic_mixed);
  scene["solver"]["method"] = "adaptive";  // takes linear tets only
  EXPECT_EQ(setup_of(scene).bodies[0].elements, Elements::linear);
  scene["solver"]["method"] = "multilevel";
  EXPECT_EQ(setup_of(scene).bodies[0].elements, Elements::quadratic_mixed);
  scene["materials"]["rubber"]["poisson"] = 0.4;
  EXPECT_EQ(setup_of(scene).bodies[0].elements, Elements::linear);
  scene["materials"]["rubber"] = {{"model", "corotated"}, {"poisson", 0.49}};  // no term of J alone
  EXPECT_EQ(setup_of(scene).bodies[0].elements, Elements::linear);
}

TEST(Elements, SpringsAreLinear) {
  json scene = cube_of("quadratic");
  scene["materials"]["rubber"] = {{"model", "mass_spring"}};
  EXPECT_THAT(test::scene_error(scene),
              HasSubstr("found \"quadratic\" for a body made of springs, expected \"linear\""));
}

TEST(Elements, MixedElementsNeedATermOfTheVolume) {
  json scene = cube_of("linear_mixed");
  scene["materials"]["rubber"]["model"] = "stvk";
  try {
    build_system(setup_of(scene));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("elements \"linear_mixed\" average the volume change, but model stvk"));
  }
}

// A uniform traction on a plane face of ten-node tets acts on the nodes of edges alone, a third of each face's at each;
// on part of a face, whose four parts are not all selected, as on triangles.
TEST(Elements, TractionsOnQuadraticFaces) {
  json scene = cube_of("quadratic");
  scene["gravity"] = {0, 0, 0};
  scene["bodies"][0]["loads"] = {
      {{"halfspace", {{"point", {0, 0.5, 0}}, {"normal", {0, 1, 0}}}}, {"traction", {2, 3, 4}}}};
  const auto system = build_system(setup_of(scene));
  ASSERT_EQ(system->loads[0].quadratic_faces, 8);
  EXPECT_NEAR(system->loads[0].total_area, 1, 1e-14);
  Points force;
  external_force(*system, 0, 1, force);
  EXPECT_LT((force.rowwise().sum() - Vec3(2, 3, 4)).norm(), 1e-13);
  // First moments, exact for linear functions: the centre of pressure is the middle of the face.
  Vec3 moment = Vec3::Zero();
  for (Index v = 0; v < system->dynamic_count; ++v) moment += force(1, v) / 3 * system->rest.col(v);
  EXPECT_LT((moment - Vec3(0, 0.5, 0)).norm(), 1e-13);
  for (Index q = 0; q < system->quadratic_tets.cols(); ++q)
    for (int corner = 0; corner < 4; ++corner) EXPECT_LT(force.col(system->quadratic_tets(corner, q)).norm(), 1e-15);
}

// The pressure of a gas in the curved surface of a quadratic body is p times its volume's gradient, and has no
// resultant.
TEST(Elements, PressureOnQuadraticFaces) {
  json scene = cube_of("quadratic");
  scene["bodies"][0]["loads"] = {{{"all", true}, {"pressure", 5}}};
  const auto system = build_system(setup_of(scene));
  ASSERT_EQ(system->loads[0].quadratic_faces, 48);
  PressureEnergy energy(*system);
  energy.set_loads(system->rest, 0, 1);
  EXPECT_FALSE(energy.lags());
  EXPECT_NEAR(energy.value(system->rest), 5, 1e-12);  // p V
  Points x = system->rest;
  for (Index v = 0; v < x.cols(); ++v) {
    const Vec3 p = system->rest.col(v);
    x.col(v) += Vec3(0.1 * p[1] * p[2], 0.2 * p[0] * p[0], 0.1 * p[2] * p[0]);  // of second degree, as the tets hold it
  }
  double volume = 0;
  for (Index q = 0; q < system->quadratic_tets.cols(); ++q)
    volume += quadratic_tet_volume(x, system->quadratic_tets, q);
  EXPECT_NEAR(energy.value(x), 5 * volume, 1e-12);
  Points g = Points::Zero(3, system->dynamic_count);
  energy.add_gradient(x, 1, g);
  EXPECT_LT(g.rowwise().sum().norm(), 1e-12);
  test::expect_derivatives(energy, x, 1e-6, nullptr, 1e-7);
}

TEST(QuadraticFace, AreasOfAPlaneFace) {
  const FaceNodes x{Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(0, 1, 0), Vec3(1, 0, 0), Vec3(1, 0.5, 0), Vec3(0, 0.5, 0)};
  const std::array<double, 6> areas = node_areas(x);
  const std::array<Vec3, 6> vectors = node_area_vectors(x);
  for (int a = 0; a < 6; ++a) {
    EXPECT_NEAR(areas[a], a < 3 ? 0 : 1.0 / 3, 1e-15);
    EXPECT_LT((vectors[a] - areas[a] * Vec3::UnitZ()).norm(), 1e-15);
  }
}

}  // namespace
}  // namespace sinew
