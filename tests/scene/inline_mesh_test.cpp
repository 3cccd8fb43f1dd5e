// Meshes whose arrays are in the scene: the same as from a file, with all bits, also after the scene was printed.
#include "scene_tools.h"
#include "support/folder.h"
#include <gtest/gtest.h>

#include "sinew/core/base64.h"
#include "sinew/formats/write.h"
#include "sinew/mesh/primitives.h"
#include "sinew/scene/inline_array.h"

namespace sinew {
namespace {

using nlohmann::json;

template <class Number>
json encoded(const char* type, const Number* values, std::size_t rows, std::size_t columns) {
  const std::string bytes(reinterpret_cast<const char*>(values), rows * columns * sizeof(Number));
  return {{type, base64_encode(bytes)}, {"shape", {rows, columns}}};
}

json listed(const Points& vertices) {
  json rows = json::array();
  for (Eigen::Index v = 0; v < vertices.cols(); ++v) rows.push_back({vertices(0, v), vertices(1, v), vertices(2, v)});
  return rows;
}

json listed(const Tets& tets) {
  json rows = json::array();
  for (Eigen::Index t = 0; t < tets.cols(); ++t) rows.push_back({tets(0, t), tets(1, t), tets(2, t), tets(3, t)});
  return rows;
}

json inline_tets(const TetMesh& mesh) {
  return {{"tets",
           {{"vertices", encoded("float64", mesh.vertices.data(), mesh.vertices.cols(), 3)},
            {"tets", encoded("int32", mesh.tets.data(), mesh.tets.cols(), 4)}}}};
}

TetMesh body_mesh(const json& mesh) {
  json scene = test::cube_scene();
  scene["bodies"][0]["mesh"] = mesh;
  return parse_scene(scene, "").setup.bodies[0].mesh;
}

TriMesh obstacle_mesh(const json& mesh) {
  json scene = test::cube_scene();
  scene["obstacles"][0] = {{"mesh", mesh}};
  return *parse_scene(scene, "").setup.obstacles[0].mesh;
}

TEST(InlineMesh, KeepsAllBits) {
  const TetMesh ball = make_sphere(0.1, 0.03);
  const TetMesh lists = body_mesh({{"tets", {{"vertices", listed(ball.vertices)}, {"tets", listed(ball.tets)}}}});
  const TetMesh bytes = body_mesh(inline_tets(ball));
  for (const TetMesh& read : {lists, bytes}) {
    EXPECT_EQ(read.vertices, ball.vertices);
    EXPECT_EQ(read.tets, ball.tets);
    EXPECT_EQ(read.regions, ball.regions);
  }
}

TEST(InlineMesh, ACompletedSceneCanBeReadAgain) {
  const TetMesh ball = make_sphere(0.1, 0.03);
  json scene = test::cube_scene();
  scene["bodies"][0]["mesh"] = inline_tets(ball);
  const Scene first = parse_scene(scene, "");
  EXPECT_EQ(json(first.completed["bodies"][0]["mesh"]), scene["bodies"][0]["mesh"]);
  const Scene second = parse_scene(json::parse(first.completed.dump()), "");
  EXPECT_EQ(second.setup.bodies[0].mesh.vertices, ball.vertices);
}

TEST(InlineMesh, PagesShowTheBeginningOfLongArrays) {
  json scene = test::cube_scene();
  scene["bodies"][0]["mesh"] = inline_tets(make_box({1, 1, 1}, {9, 9, 9}));
  const json shown = with_short_arrays(scene);
  const std::string text = scene["bodies"][0]["mesh"]["tets"]["vertices"]["float64"];
  EXPECT_EQ(shown["bodies"][0]["mesh"]["tets"]["vertices"]["float64"],
            text.substr(0, 60) + "... (31940 characters are left out here)");
  EXPECT_EQ(shown["bodies"][0]["mesh"]["tets"]["vertices"]["shape"], (json{1000, 3}));
  EXPECT_EQ(json(with_short_arrays(test::cube_scene())), test::cube_scene());
}

TEST(InlineMesh, RegionsFieldsAndGroups) {
  json mesh = json::parse(R"({"tets": {
    "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]],
    "tets": [[0, 1, 2, 3], [1, 2, 3, 4]],
    "regions": [4, 5],
    "fields": {"young": [1, 2.5], "fibre": [[1, 0, 0], [0, 1, 0]]},
    "groups": [{"name": "tip", "vertices": [4, 0]}, {"id": 7, "triangles": [[0, 2, 1]]}, {"name": "hard", "id": 5, "tets": [1]}]
  }})");
  const TetMesh read = body_mesh(mesh);
  EXPECT_EQ(read.regions, (std::vector<Index>{4, 5}));
  EXPECT_EQ(read.cell_fields.at("young"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(read.cell_fields.at("fibre"), (std::vector<double>{1, 0, 0, 0, 1, 0}));
  ASSERT_EQ(read.groups.size(), 3u);
  EXPECT_EQ(read.groups[0].vertices, (std::vector<Index>{0, 4}));
  EXPECT_EQ(read.groups[0].id, 1);
  EXPECT_EQ(read.groups[1].dim, 2);
  EXPECT_EQ(read.groups[1].id, 7);
  EXPECT_EQ(read.groups[2].tets, (std::vector<Index>{1}));

  json scene = test::cube_scene();
  scene["materials"]["steel"] = {{"young", 2e11}};
  scene["bodies"][0] = {
      {"mesh", mesh}, {"material", {{"regions", {{"4", "rubber"}, {"hard", "steel"}}}}}, {"fix", {{{"group", "2:7"}}}}};
  const sinew::Setup setup = parse_scene(scene, "").setup;
  EXPECT_EQ(setup.bodies[0].materials.size(), 2u);
  EXPECT_EQ(setup.bodies[0].fixes[0].vertices, (std::vector<Index>{0, 1, 2}));
}

TEST(InlineMesh, SurfacesAndTheBoundaryOfTetsAreObstacles) {
  const TetMesh box = make_box({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(obstacle_mesh(inline_tets(box)).triangles.cols(), 12);
  const TriMesh sheet = make_sheet({2, 3}, {2, 2});
  const TriMesh read =
      obstacle_mesh({{"triangles",
                      {{"vertices", encoded("float64", sheet.vertices.data(), sheet.vertices.cols(), 3)},
                       {"triangles", encoded("int32", sheet.triangles.data(), sheet.triangles.cols(), 3)}}}});
  EXPECT_EQ(read.vertices, sheet.vertices);
  EXPECT_EQ(read.triangles, sheet.triangles);
}

TEST(InlineMesh, AHeightfieldIsASheetWithHeights) {
  for (const char* axis : {"x", "y", "z"}) {
    const TriMesh read =
        obstacle_mesh({{"heightfield", {{"heights", {{1, 2, 3}, {4, 5, 6}}}, {"size", {4, 2}}, {"axis", axis}}}});
    const TriMesh flat = make_sheet({4, 2}, {2, 1}, static_cast<Axis>(axis[0] - 'x'));
    EXPECT_EQ(read.triangles, flat.triangles);
    const Points up = read.vertices - flat.vertices;
    for (Index v = 0; v < 6; ++v) EXPECT_EQ(up.col(v), Vec3(Vec3::Unit(axis[0] - 'x') * (v + 1)));
  }
}

TEST(InlineMesh, TrianglesAreCloth) {
  json scene = test::cube_scene();
  scene["materials"] = {{"cotton", {{"model", "mass_spring"}, {"thickness", 1e-3}}}};
  scene["bodies"][0]["mesh"] =
      json::parse(R"({"triangles": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "triangles": [[0, 1, 2]]}})");
  EXPECT_TRUE(parse_scene(scene, "").setup.bodies[0].mesh.is_cloth());
  scene["bodies"][0]["mesh"] = json::parse(R"({"heightfield": {"heights": [[0, 0], [0, 0.1]], "size": [1, 1]}})");
  EXPECT_EQ(parse_scene(scene, "").setup.bodies[0].mesh.triangles.cols(), 2);
}

TEST(InlineMesh, IsOrientedLikeAFile) {
  test::QuietLog log;
  const TetMesh read = body_mesh(
      json::parse(R"({"tets": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "tets": [[0, 1, 3, 2]]}})"));
  EXPECT_EQ(read.tets.col(0), (Eigen::Vector4i(0, 1, 2, 3)));
  ASSERT_EQ(log.messages.size(), 1u);
  EXPECT_EQ(log.messages[0],
            "scene: bodies[0].mesh.tets: 1 of 1 tets had negative volume; their vertices were reordered");
}

}  // namespace
}  // namespace sinew
