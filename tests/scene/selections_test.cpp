// Selections by geometry and by set operations, and symmetry planes.
#include <cmath>
#include <numbers>

#include "scene/scene_tools.h"
#include <gmock/gmock.h>

namespace sinew {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// The cube of 2 x 2 x 2 cells and edge 1: 27 vertices, 48 faces.
BodySetup cube_body(const json& changes) {
  json scene = test::cube_scene();
  scene["bodies"][0].update(changes);
  return parse_scene(scene, "").setup.bodies[0];
}

std::vector<Index> selected_vertices(const std::string& selection) {
  return cube_body({{"fix", {json::parse(selection)}}}).fixes[0].vertices;
}

Index selected_faces(const std::string& selection) {
  json load = json::parse(selection);
  load["pressure"] = 1;
  return static_cast<Index>(cube_body({{"loads", {load}}}).loads[0].faces.cols());
}

TEST(GeometricSelections, Cylinder) {
  EXPECT_EQ(selected_vertices(R"({"cylinder": {"point": [0, 5, 0], "axis": [0, 2, 0], "radius": 0.1}})").size(), 3u);
  EXPECT_EQ(selected_vertices(R"({"cylinder": {"point": [0, 0, 0], "axis": [0, 2, 0], "radius": 0.1, "length": 0.5}})")
                .size(),
            2u);
  EXPECT_EQ(selected_vertices(R"({"cylinder": {"point": [0, 0, 0], "axis": [0, 1, 0], "radius": 0.5}})").size(), 15u);
  EXPECT_EQ(
      selected_vertices(R"({"cylinder": {"point": [0, 0, 0], "axis": [0, 1, 0], "radius": 0.5, "inner_radius": 0.5}})")
          .size(),
      12u);
  EXPECT_EQ(selected_faces(R"({"cylinder": {"point": [0, 0.5, 0], "axis": [0, 1, 0], "radius": 2, "length": 0.1}})"),
            8);
}

TEST(GeometricSelections, Plane) {
  EXPECT_EQ(selected_vertices(R"({"plane": {"point": [7, 0.5, 0], "normal": [0, -4, 0]}})").size(), 9u);
  EXPECT_EQ(selected_vertices(R"({"plane": {"point": [0, 0.25, 0], "normal": [0, 1, 0], "distance": 0.25}})").size(),
            18u);
  EXPECT_EQ(selected_faces(R"({"plane": {"point": [0, 0.5, 0], "normal": [0, 1, 0]}})"), 8);
}

TEST(GeometricSelections, NearestVertexAndFace) {
  EXPECT_THAT(selected_vertices(R"({"nearest": [0.6, 0.7, 0.8]})"), ElementsAre(26));
  EXPECT_EQ(selected_faces(R"({"nearest": [0.1, 0.7, 0.2]})"), 1);
}

TEST(GeometricSelections, FaceAngle) {
  EXPECT_EQ(selected_faces(R"({"face_angle": {"point": [0.1, 0.7, 0.2]}})"), 8);
  EXPECT_EQ(selected_faces(R"({"face_angle": {"point": [0.1, 0.7, 0.2], "degrees": 89}})"), 8);
  EXPECT_EQ(selected_faces(R"({"face_angle": {"point": [0.1, 0.7, 0.2], "degrees": 90}})"), 48);
  EXPECT_EQ(selected_vertices(R"({"face_angle": {"point": [0.1, 0.7, 0.2]}})").size(), 9u);
  EXPECT_EQ(selected_faces(R"({"not": {"face_angle": {"point": [0.1, 0.7, 0.2]}}})"), 40);
}

// The barrel of a cylinder, without its ends.
TEST(GeometricSelections, FaceAngleOfRoundBody) {
  json scene = test::cube_scene();
  scene["bodies"][0]["mesh"] = {{"cylinder", {{"radius", 0.5}, {"height", 2}, {"size", 0.2}, {"axis", "z"}}}};
  scene["bodies"][0]["loads"] = {{{"face_angle", {{"point", {0.5, 0, 0}}}}, {"pressure", 1}}};
  const BodySetup body = parse_scene(scene, "").setup.bodies[0];
  double area = 0;
  for (const auto& t : body.loads[0].faces.colwise()) {
    const Vec3 a = body.mesh.vertices.col(t[0]);
    area += (body.mesh.vertices.col(t[1]) - a).cross(Vec3(body.mesh.vertices.col(t[2]) - a)).norm() / 2;
  }
  EXPECT_NEAR(area, 2 * std::numbers::pi, 0.05 * 2 * std::numbers::pi);
}

TEST(GeometricSelections, Intersections) {
  const std::string top = R"({"plane": {"point": [0, 0.5, 0], "normal": [0, 1, 0]}})",
                    right = R"({"plane": {"point": [0.5, 0, 0], "normal": [1, 0, 0]}})";
  EXPECT_EQ(selected_vertices(R"({"every": [)" + top + ", " + right + "]}").size(), 3u);
  EXPECT_EQ(selected_vertices(R"({"every": [)" + top + R"(, {"not": )" + right + "}]}").size(), 6u);
  EXPECT_EQ(
      selected_faces(
          R"({"every": [{"face_angle": {"point": [0, 0.5, 0]}}, {"halfspace": {"point": [0, 0, 0], "normal": [1, 0, 0]}}]})"),
      4);
  EXPECT_EQ(
      selected_faces(R"({"any": [{"face_angle": {"point": [0, 0.5, 0]}}, {"face_angle": {"point": [0.5, 0, 0]}}]})"),
      16);
}

TEST(GeometricSelections, NameTheNearestVertex) {
  EXPECT_THAT(
      [] { selected_vertices(R"({"plane": {"point": [0, 0.6, 0], "normal": [0, 1, 0]}})"); },
      ThrowsMessage<InputError>(HasSubstr("after the transform; vertex 6 at (-0.5, 0.5, -0.5) is 0.1 m outside")));
}

TEST(SymmetryPlanes, HoldTheirVertices) {
  const json upper = {{"translate", {0, 0.5, 0}}};
  const BodySetup body = cube_body({{"transform", upper}, {"symmetry", "y"}, {"fix", {{{"vertices", {26}}}}}});
  ASSERT_EQ(body.fixes.size(), 2u);
  EXPECT_EQ(body.fixes[1].vertices.size(), 9u);
  EXPECT_EQ(body.fixes[1].axes, (std::array{false, true, false}));
  EXPECT_TRUE(body.fixes[1].symmetry);
  const BodySetup quarter = cube_body({{"symmetry", {{{"axis", "x"}, {"at", -0.5}}, {{"axis", "z"}, {"at", 0.5}}}}});
  ASSERT_EQ(quarter.fixes.size(), 2u);
  EXPECT_EQ(quarter.fixes[0].axes, (std::array{true, false, false}));
  EXPECT_EQ(quarter.fixes[1].axes, (std::array{false, false, true}));
}

TEST(SymmetryPlanes, RefusePlanesBesideAndInsideTheBody) {
  EXPECT_THAT(
      [] {
        cube_body({{"symmetry", {{"axis", "x"}, {"at", 0.7}}}});
      },
      ThrowsMessage<InputError>(HasSubstr("has no vertex on the plane x = 0.7 m; its nearest one is 0.2 m away")));
  EXPECT_THAT(
      [] {
        cube_body({{"symmetry", "x"}});
      },
      ThrowsMessage<InputError>(HasSubstr("is on both sides of the plane x = 0 m")));
}

TEST(SymmetryPlanes, RefuseOtherMotions) {
  json scene = test::cube_scene();
  scene["bodies"][0].update(json::parse(R"({"symmetry": {"axis": "x", "at": 0.5}, "fix": [{"all": true,
    "motion": {"translate": {"times": [0, 1], "values": [[0, 0, 0], [1, 0, 0]]}}}]})"));
  Scene read = parse_scene(scene, "");
  EXPECT_THAT([&] { build_system(read); },
              ThrowsMessage<InputError>(HasSubstr("fix[0] and its symmetry plane move vertex")));
}

TEST(MomentLoads, AreRead) {
  const json top = {{"plane", {{"point", {0, 0.5, 0}}, {"normal", {0, 1, 0}}}}};
  const auto load = [&](const char* keys) {
    json all = top;
    all.update(json::parse(keys));
    return cube_body({{"loads", {all}}}).loads[0];
  };
  const LoadSetup moment = load(R"({"moment": [1, 2, 3], "follows": true})");
  EXPECT_EQ(moment.kind, LoadKind::moment);
  EXPECT_EQ(moment.vector, Vec3(1, 2, 3));
  EXPECT_TRUE(moment.follows);
  EXPECT_EQ(moment.faces.cols(), 8);
  const LoadSetup remote = load(R"({"force": {"times": [0, 1], "values": [[0, 0, 0], [0, 2, 0]]}, "at": [0, 3, 0]})");
  EXPECT_EQ(remote.kind, LoadKind::remote_force);
  EXPECT_EQ(*remote.point, Vec3(0, 3, 0));
  EXPECT_EQ(remote.vector_keys.at(0.5), Vec3(0, 1, 0));
  EXPECT_EQ(load(R"({"force": [1, 0, 0], "follows": true})").kind, LoadKind::remote_force);
  EXPECT_EQ(load(R"({"force": [1, 0, 0]})").kind, LoadKind::force);
}

TEST(Spins, AreRead) {
  const auto spin = [](const char* text) {
    json scene = test::cube_scene();
    scene["spin"] = json::parse(text);
    return *parse_scene(scene, "").setup.spin;
  };
  const SpinSetup constant = spin(R"({"axis": [0, 0, 3], "speed": 5, "center": [1, 2, 3]})");
  EXPECT_EQ(constant.axis, Vec3(0, 0, 1));
  EXPECT_EQ(constant.center, Vec3(1, 2, 3));
  EXPECT_EQ(constant.at(7), 5);
  EXPECT_EQ(spin(R"({"axis": "y", "speed": {"times": [0, 2], "values": [0, 4]}})").at(1), 2);
  EXPECT_FALSE(parse_scene(test::cube_scene(), "").setup.spin.has_value());
}

}  // namespace
}  // namespace sinew
