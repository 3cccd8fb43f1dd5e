// Scenes become the setups they describe.
#include "scene_tools.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/suggest.h"
#include "sinew/formats/npy.h"
#include "sinew/material/model.h"
#include "sinew/mesh/quality.h"
#include "sinew/model/system.h"
#include "sinew/scene/material_response.h"

namespace sinew {
namespace {

using nlohmann::json;
using test::changed_scene;
using test::cube_scene;
using testing::ElementsAre;
using testing::IsEmpty;

const char* const terrain = "v -1 0 -1\nv 1 0 -1\nv 0 0 1\nf 1 3 2\n";

double volume(const TetMesh& mesh) {
  double sum = 0;
  for (Index t = 0; t < mesh.tet_count(); ++t) sum += tet_volume(mesh.vertices, mesh.tets, t);
  return sum;
}

TEST(Scene, SampleOfTheContract) {
  const test::Folder folder;
  folder.write("terrain.obj", terrain);
  const std::string path = folder.write("drop.json", test::sample_scene);
  test::QuietLog log;
  const Scene scene = read_scene(path);
  EXPECT_THAT(scene.warnings, IsEmpty());
  EXPECT_THAT(log.messages, IsEmpty());
  const auto& s = scene.setup;
  EXPECT_EQ(s.name, "ball drop");
  EXPECT_EQ(s.time.integrator, Integrator::bdf2);
  EXPECT_EQ(s.time.steps, 100);
  ASSERT_EQ(s.bodies.size(), 1u);
  const BodySetup& ball = s.bodies[0];
  EXPECT_EQ(ball.name, "ball");
  EXPECT_EQ(ball.velocity, Vec3(0, -2, 0));
  EXPECT_NEAR(ball.mesh.vertices.row(1).maxCoeff(), 0.4, 1e-12);
  ASSERT_EQ(ball.materials.size(), 1u);
  EXPECT_EQ(ball.materials[0].name, "rubber");
  EXPECT_EQ(ball.materials[0].model->name(), "neo_hookean");
  EXPECT_DOUBLE_EQ(ball.materials[0].parameters[1][0], 1e6 / 2.8);
  ASSERT_EQ(ball.fixes.size(), 1u);
  for (const Index v : ball.fixes[0].vertices) EXPECT_GE(ball.mesh.vertices(1, v), 0.39);
  EXPECT_EQ(ball.fixes[0].motion.apply(Vec3::Zero(), 0.5), Vec3(0.05, 0, 0));
  EXPECT_EQ(ball.fixes[0].until, forever);
  ASSERT_EQ(s.obstacles.size(), 2u);
  EXPECT_EQ(s.obstacles[0].name, "obstacle0");
  EXPECT_TRUE(s.obstacles[0].plane.has_value());
  EXPECT_EQ(s.obstacles[1].mesh->triangles.cols(), 1);
  EXPECT_EQ(s.contact.distance, 1e-3);
  EXPECT_EQ(s.contact.friction, 0.3);
  EXPECT_FALSE(s.contact.stiffness.has_value());
  EXPECT_EQ(s.solver.method, "newton");
  EXPECT_THAT(scene.output.formats, ElementsAre("vtu", "html"));
  EXPECT_EQ(scene.output.checkpoint, 1);
  EXPECT_EQ(build_system(s)->bodies[0].name, "ball");
}

TEST(Scene, DefaultsOfASmallestScene) {
  test::QuietLog log;
  const Scene scene =
      parse_scene(json::parse(R"({"bodies": [{"mesh": {"sphere": {"radius": 1}}}]})"), "", "dir/first.json");
  EXPECT_TRUE(scene.warnings.empty());
  EXPECT_EQ(scene.setup.name, "first");
  EXPECT_EQ(scene.setup.gravity, Vec3(0, -9.81, 0));
  EXPECT_EQ(scene.setup.time.step, 0.01);
  EXPECT_EQ(scene.setup.time.integrator, Integrator::implicit_euler);
  EXPECT_EQ(scene.setup.bodies[0].name, "body0");
  EXPECT_EQ(scene.setup.bodies[0].materials[0].name, "default");
  EXPECT_EQ(scene.setup.bodies[0].materials[0].density, std::vector<double>{1000});
  EXPECT_EQ(scene.setup.contact.distance, 0);
  EXPECT_TRUE(scene.setup.contact.self);
  EXPECT_EQ(scene.setup.solver.tolerance, 0);  // automatic
  EXPECT_THAT(scene.output.formats, ElementsAre("vtu", "html"));
  EXPECT_EQ(scene.completed["materials"]["default"]["young"], 1e6);
  EXPECT_EQ(scene.completed["contact"]["distance"], "auto");
  EXPECT_EQ(scene.completed["bodies"][0]["material"], "default");
  EXPECT_EQ(scene.completed["time"]["steps"], 100);
}

TEST(Scene, LameParametersReplaceTheDefaults) {
  const Scene scene = changed_scene({R"(materials.rubber={"lambda": 2e5, "mu": 3e5})"});
  EXPECT_FALSE(scene.completed["materials"]["rubber"].contains("young"));
  EXPECT_EQ(scene.setup.bodies[0].materials[0].parameters, (KernelParameters{{2e5}, {3e5}}));
}

TEST(Scene, PrimitivesAndTheirEdges) {
  EXPECT_EQ(changed_scene({R"(bodies[0].mesh={"box": {"size": [1, 2, 3], "cells": [1, 2, 3]}})"})
                .setup.bodies[0]
                .mesh.tet_count(),
            30);
  EXPECT_EQ(
      changed_scene({R"(bodies[0].mesh={"box": {"size": [1, 2, 3], "edge": 1}})"}).setup.bodies[0].mesh.tet_count(),
      30);
  EXPECT_EQ(changed_scene({R"(bodies[0].mesh={"box": {"size": [1, 1, 1]}})"}).setup.bodies[0].mesh.tet_count(), 320);
  const auto count = [](const std::string& mesh) {
    return changed_scene({"bodies[0].mesh=" + mesh}).setup.bodies[0].mesh.tet_count();
  };
  EXPECT_EQ(count(R"({"sphere": {"radius": 1, "size": 0.5}})"), count(R"({"sphere": {"radius": 1, "edge": 0.5}})"));
  EXPECT_EQ(count(R"({"cylinder": {"radius": 1, "height": 4}})"),
            count(R"({"cylinder": {"radius": 1, "height": 4, "size": 0.25}})"));
  EXPECT_EQ(count(R"({"torus": {"radius": 1, "tube": 0.2}})"),
            count(R"({"torus": {"radius": 1, "tube": 0.2, "edge": 0.1}})"));
  const TetMesh lying =
      changed_scene({R"(bodies[0].mesh={"cylinder": {"radius": 1, "height": 4, "axis": "x"}})"}).setup.bodies[0].mesh;
  EXPECT_NEAR(lying.vertices.row(0).maxCoeff(), 2, 1e-12);
}

TEST(Scene, ClothOfSheetsAndFiles) {
  const test::Folder folder;
  folder.write("terrain.obj", terrain);
  json scene = cube_scene();
  scene["bodies"][0]["material"] = "rubber";
  scene["materials"]["cotton"] = {{"model", "mass_spring"}, {"thickness", 1e-3}, {"bending", 0.1}, {"density", 300}};
  scene["bodies"].push_back({{"name", "file"},
                             {"mesh", "terrain.obj"},
                             {"material", "cotton"},
                             {"transform", {{"scale", {-1, 1, 1}}, {"translate", {0, 3, 0}}}}});
  scene["bodies"].push_back(
      {{"name", "sheet"},
       {"mesh", {{"sheet", {{"size", {2, 1}}, {"cells", {4, 2}}, {"axis", "z"}}}}},
       {"material", "cotton"},
       {"loads", {{{"halfspace", {{"point", {0, 0, 0}}, {"normal", {1, 0, 0}}}}, {"pressure", 5}}}}});
  scene["bodies"].push_back(
      {{"name", "springs"}, {"mesh", {{"box", {{"size", {1, 1, 1}}}}}}, {"material", {{"model", "mass_spring"}}}});
  const Scene read = parse_scene(scene, folder.path, "s.json");
  const std::vector<BodySetup>& bodies = read.setup.bodies;
  EXPECT_THAT(read.warnings, IsEmpty());
  EXPECT_FALSE(bodies[0].mesh.is_cloth());
  EXPECT_EQ(bodies[1].mesh.element_count(), 1);
  // Mirrored: still wound as before.
  EXPECT_EQ(bodies[1].mesh.triangles, (Triangles(3, 1) << 0, 1, 2).finished());
  EXPECT_TRUE(bodies[1].materials[0].mass_spring);
  EXPECT_THAT(bodies[1].materials[0].parameters,
              ElementsAre(ElementsAre(1e6), ElementsAre(1e-3), ElementsAre(0.1), ElementsAre(0)));
  EXPECT_EQ(bodies[2].mesh.element_count(), 16);
  EXPECT_EQ(bodies[2].mesh.vertex_count(), 15);
  EXPECT_EQ(bodies[2].mesh.vertices.col(1), Vec3(-0.5, -0.5, 0));
  for (Index f = 0; f < 16; ++f) {
    const auto t = bodies[2].mesh.triangles.col(f);
    const Vec3 a = bodies[2].mesh.vertices.col(t[0]);
    EXPECT_EQ(Vec3(Vec3(bodies[2].mesh.vertices.col(t[1])) - a).cross(Vec3(bodies[2].mesh.vertices.col(t[2])) - a),
              Vec3(0, 0, 0.25));
  }
  EXPECT_EQ(bodies[2].loads[0].faces.cols(), 8);
  EXPECT_GT(bodies[3].mesh.tet_count(), 0);
  EXPECT_TRUE(bodies[3].materials[0].mass_spring);
}

TEST(Scene, TransformScalesThenRotatesThenTranslates) {
  const TetMesh mesh =
      changed_scene(
          {R"(bodies[0].transform={"scale": [2, 1, 1], "rotate": {"axis": "z", "degrees": 90}, "translate": [5, 0, 0]})"})
          .setup.bodies[0]
          .mesh;
  EXPECT_NEAR(mesh.vertices.row(0).maxCoeff(), 5.5, 1e-12);
  EXPECT_NEAR(mesh.vertices.row(1).maxCoeff(), 1, 1e-12);
  EXPECT_NEAR(volume(mesh), 2, 1e-12);
  const TetMesh mirrored = changed_scene({"bodies[0].transform.scale=[-1,2,3]"}).setup.bodies[0].mesh;
  EXPECT_NEAR(volume(mirrored), 6, 1e-12);
  for (Index t = 0; t < mirrored.tet_count(); ++t) ASSERT_GT(tet_volume(mirrored.vertices, mirrored.tets, t), 0);
}

TEST(Scene, MirroredObstaclesStayOutward) {
  const Scene scene = changed_scene(
      {R"(obstacles[0]={"mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}}, "transform": {"scale": -1, "translate": [9, 0, 0]}})"});
  const TriMesh& mesh = *scene.setup.obstacles[0].mesh;
  double sum = 0;
  for (Index f = 0; f < mesh.triangles.cols(); ++f) {
    Mat3 corners;
    for (int k = 0; k < 3; ++k) corners.col(k) = mesh.vertices.col(mesh.triangles(k, f));
    sum += corners.determinant() / 6;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(Scene, FixLoadsSpringsOfABody) {
  json scene = cube_scene();
  scene["bodies"][0].update(json::parse(R"({
    "angular_velocity": [0, 1, 0], "acceleration": {"times": [0, 2], "values": [[0, 0, 0], [4, 0, 0]]},
    "damping": {"mass": 0.5, "stiffness": 0.25},
    "fix": ["all", {"halfspace": {"point": [0, 0.5, 0], "normal": [0, 3, 0]}, "axes": "xz", "until": 2,
      "motion": {"rotate": {"axis": [0, 0, 2], "center": [1, 0, 0], "times": [0, 1], "degrees": [0, 90]},
                 "scale": {"times": [0, 1], "values": [1, [1, 2, 3]]}}}],
    "loads": [{"box": [[0.5, -1, -1], [0.5, 1, 1]], "traction": [1, 2, 3]},
              {"all": true, "pressure": {"times": [0, 1], "values": [0, 50]}}, {"all": true, "pressure": 7},
              {"any": [{"vertices": [0, 1, 3, 4]}], "force": {"times": [1], "values": [[0, 0, 9]]}}],
    "springs": [{"vertices": [3, 3], "to": [0, 5, 0], "stiffness": 10, "length": 1, "until": 3,
                 "motion": {"translate": {"times": [0], "values": [[1, 1, 1]]}}},
                {"vertices": [4], "to": {"body": "other", "sphere": {"center": [4, 0, 0], "radius": 0.1}}, "stiffness": 20}]})"));
  scene["bodies"].push_back(json::parse(
      R"({"name": "other", "mesh": {"box": {"size": [1, 1, 1], "cells": [2, 2, 2]}}, "transform": {"translate": [4, 0, 0]}})"));
  const Scene read = parse_scene(scene, "");
  const BodySetup& body = read.setup.bodies[0];
  EXPECT_EQ(body.angular_velocity, Vec3(0, 1, 0));
  EXPECT_EQ(body.acceleration_keys.at(1), Vec3(2, 0, 0));
  EXPECT_EQ(body.damping_stiffness, 0.25);
  ASSERT_EQ(body.fixes.size(), 2u);
  EXPECT_EQ(body.fixes[0].vertices.size(), 27u);
  const FixSetup& fix = body.fixes[1];
  EXPECT_EQ(fix.vertices.size(), 9u);
  EXPECT_EQ(fix.axes, (std::array{true, false, true}));
  EXPECT_EQ(fix.until, 2);
  EXPECT_LT((fix.motion.apply(Vec3(2, 1, 1), 1) - Vec3(-1, 1, 3)).norm(), 1e-12);
  ASSERT_EQ(body.loads.size(), 4u);
  EXPECT_EQ(body.loads[0].kind, LoadKind::traction);
  EXPECT_EQ(body.loads[0].faces.cols(), 8);
  EXPECT_EQ(body.loads[0].vector, Vec3(1, 2, 3));
  EXPECT_EQ(body.loads[1].pressure * body.loads[1].factor.at(0.5)[0], 25);
  EXPECT_EQ(body.loads[1].faces.cols(), 48);
  EXPECT_EQ(body.loads[2].pressure, 7);
  EXPECT_EQ(body.loads[3].kind, LoadKind::force);
  EXPECT_EQ(body.loads[3].vector_keys.at(0), Vec3(0, 0, 9));
  EXPECT_EQ(body.loads[3].faces.cols(), 2);
  ASSERT_EQ(body.springs.size(), 2u);
  EXPECT_THAT(body.springs[0].vertices, ElementsAre(3));
  EXPECT_EQ(*body.springs[0].point, Vec3(0, 5, 0));
  EXPECT_EQ(body.springs[0].length, 1);
  EXPECT_EQ(body.springs[0].until, 3);
  EXPECT_FALSE(body.springs[0].motion.empty());
  EXPECT_EQ(body.springs[1].other_body, 1);
  EXPECT_THAT(body.springs[1].other_vertices, ElementsAre(13));
}

// A small cube above a large one: its lower face is tied to the points below it.
TEST(Scene, SpringsToTheNearestPoints) {
  json scene = cube_scene();
  scene["bodies"].push_back(json::parse(
      R"({"name": "small", "mesh": {"box": {"size": [0.4, 0.4, 0.4], "cells": [1, 1, 1]}}, "transform": {"translate": [0.1, 0.8, 0]},
          "springs": [{"halfspace": {"point": [0, 0.6, 0], "normal": [0, -1, 0]}, "stiffness": 5, "to": "nearest"},
                      {"halfspace": {"point": [0, 0.6, 0], "normal": [0, -1, 0]}, "stiffness": 5,
                       "to": {"body": "cube", "halfspace": {"point": [0, 0.5, 0], "normal": [0, 1, 0]}, "at": "nearest"}},
                      {"halfspace": {"point": [0, 0.6, 0], "normal": [0, -1, 0]}, "stiffness": 5,
                       "to": {"body": "cube", "vertices": [0, 26], "at": "nearest"}}]})"));
  const Scene read = parse_scene(scene, "");
  const BodySetup &cube = read.setup.bodies[0], &small = read.setup.bodies[1];
  ASSERT_EQ(small.springs.size(), 3u);
  for (std::size_t i = 0; i < 2; ++i) {
    const SpringSetup& spring = small.springs[i];
    ASSERT_EQ(spring.vertices.size(), 4u);
    ASSERT_EQ(spring.ends.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {
      Vec3 end = Vec3::Zero();
      for (std::size_t j = 0; j < spring.ends[k].vertices.size(); ++j)
        end += spring.ends[k].weights[j] * cube.mesh.vertices.col(spring.ends[k].vertices[j]);
      const Vec3 below = small.mesh.vertices.col(spring.vertices[k]) - Vec3(0, 0.1, 0);
      EXPECT_LT((end - below).norm(), 1e-12) << i << ' ' << k;
    }
  }
  for (const SpringEnd& end : small.springs[2].ends) EXPECT_THAT(end.vertices, ElementsAre(26));
  scene["bodies"][1].erase("springs");
  scene["bodies"].erase(0);
  scene["bodies"][0]["springs"] = json::parse(R"([{"all": true, "stiffness": 1, "to": "nearest"}])");
  EXPECT_THAT([&] { parse_scene(scene, ""); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("in a scene of one body")));
}

TEST(Scene, ContactTimeSolverOutput) {
  const test::Folder folder;
  folder.write("state.vtu", "");
  const Scene scene = changed_scene({"contact.friction={\"default\": 0.2, \"pairs\": [[\"rubber\", \"floor\", 0.7]]}",
                                     "contact.stiffness=1e6",
                                     "contact.distance=0.5",
                                     "contact.slip_speed=1e-5",
                                     "contact.friction_iterations=3",
                                     "contact.self=false",
                                     "contact.ignore=[[\"cube\",\"floor\"]]",
                                     "time.mode=static",
                                     "time.steps=7",
                                     "time.ramp=false",
                                     "solver.linear_solver=pcg",
                                     "solver.tolerance=1e-5",
                                     "solver.norm=mean",
                                     "solver.max_iterations=9",
                                     "solver.linear_tolerance=0.01",
                                     "solver.linear_iterations=8",
                                     "solver.linear_preconditioner=jacobi",
                                     "output.every=5",
                                     "output.formats=[]",
                                     "output.checkpoint=0",
                                     "compare.from=4",
                                     "initial=state.vtu",
                                     "name=a"},
                                    folder.path);
  const auto& s = scene.setup;
  EXPECT_TRUE(scene.warnings.empty());
  EXPECT_EQ(s.name, "a");
  EXPECT_EQ(s.contact.friction, 0.2);
  ASSERT_EQ(s.contact.pairs.size(), 1u);
  EXPECT_EQ(s.contact.pairs[0].coefficient, 0.7);
  EXPECT_EQ(*s.contact.stiffness, 1e6);
  EXPECT_EQ(s.contact.distance, 0.5);
  EXPECT_EQ(s.contact.slip_speed, 1e-5);
  EXPECT_EQ(s.contact.friction_iterations, 3);
  EXPECT_FALSE(s.contact.self);
  EXPECT_EQ(s.contact.ignore.size(), 1u);
  EXPECT_EQ(s.time.integrator, Integrator::statics);
  EXPECT_EQ(s.time.steps, 7);
  EXPECT_FALSE(s.time.ramp);
  EXPECT_EQ(s.solver.linear_solver, "pcg");
  EXPECT_EQ(s.solver.tolerance, 1e-5);
  EXPECT_EQ(s.solver.norm, "mean");
  EXPECT_EQ(s.solver.max_iterations, 9);
  EXPECT_EQ(s.solver.linear_tolerance, 0.01);
  EXPECT_EQ(s.solver.linear_iterations, 8);
  EXPECT_FALSE(s.solver.block_jacobi);
  EXPECT_EQ(scene.output.every, 5);
  EXPECT_TRUE(scene.output.formats.empty());
  EXPECT_EQ(scene.output.checkpoint, 0);
  EXPECT_EQ(scene.compare_from, 4);
  EXPECT_EQ(scene.initial.path, (folder.path / "state.vtu").string());
  EXPECT_FALSE(scene.initial.reset_time);
  const Scene reset = changed_scene({R"(initial={"file":"state.vtu","time":"reset"})"}, folder.path);
  EXPECT_EQ(reset.initial.path, (folder.path / "state.vtu").string());
  EXPECT_TRUE(reset.initial.reset_time);
}

TEST(Scene, Sound) {
  const Scene plain = changed_scene({"output.formats=[\"wav\"]"});
  EXPECT_TRUE(plain.output.writes("wav"));
  EXPECT_FALSE(plain.output.writes("vtu"));
  EXPECT_FALSE(plain.output.sound.listener);
  EXPECT_EQ(plain.output.sound.gain, 0);
  EXPECT_EQ(plain.output.sound.modes, SoundSettings().modes);
  EXPECT_EQ(plain.output.sound.damping_ratio, SoundSettings().damping_ratio);
  EXPECT_EQ(plain.output.sound.impact_time, SoundSettings().impact_time);
  EXPECT_EQ(plain.output.sound.tail, SoundSettings().tail);
  EXPECT_EQ(plain.output.sound.ears, SoundSettings().ears);
  const Scene scene = changed_scene(
      {R"(output={"formats": ["wav"], "sound": {"modes": 7, "damping_ratio": 0.02, "impact_time": 1e-3, "tail": 0, "listener": [1, 2, 3], "ears": 0.2, "gain": 5}})"});
  EXPECT_TRUE(scene.warnings.empty());
  const SoundSettings& sound = scene.output.sound;
  EXPECT_EQ(sound.modes, 7);
  EXPECT_EQ(sound.damping_ratio, 0.02);
  EXPECT_EQ(sound.impact_time, 1e-3);
  EXPECT_EQ(sound.tail, 0);
  EXPECT_EQ(*sound.listener, Vec3(1, 2, 3));
  EXPECT_EQ(sound.ears, 0.2);
  EXPECT_EQ(sound.gain, 5);
  const test::QuietLog log;
  EXPECT_THAT(changed_scene({"output.sound.tail=2"}).warnings,
              ElementsAre("s.json: output.sound: has no effect without \"wav\" in output.formats"));
}

TEST(Scene, ObstaclesWithMotionAndMaterial) {
  const Scene scene = changed_scene(
      {R"(obstacles[0]={"plane": {"point": [0, 1, 0], "normal": [0, 0, 5]}, "material": "ice", "motion": {"translate": {"times": [0, 1], "values": [[0,0,0],[0,1,0]]}}})",
       R"(contact.friction={"pairs": [["ice", "rubber", 0.01]]})"});
  const ObstacleSetup& plane = scene.setup.obstacles[0];
  EXPECT_EQ(plane.plane->normal, Vec3(0, 0, 1));
  EXPECT_EQ(plane.material, "ice");
  EXPECT_EQ(plane.motion.apply(Vec3::Zero(), 1), Vec3(0, 1, 0));
  EXPECT_EQ(build_system(scene.setup)->collision.friction, (std::vector<double>{0, 0.01, 0.01, 0}));
}

TEST(Scene, PerTetFieldsFromFiles) {
  const test::Folder folder;
  std::vector<double> young(40), direction(120);
  for (int t = 0; t < 40; ++t) {
    young[t] = 1e5 + t;
    direction[3 * t + t % 3] = 2;
  }
  folder.write("E.npy", test::npy_doubles("(40,)", young));
  folder.write("d.npy", test::npy_doubles("(40, 3)", direction));
  const std::vector<std::int32_t> densities(40, 700);
  folder.write("rho.npy",
               test::npy("{'descr': '<i4', 'fortran_order': False, 'shape': (40,), }", densities.data(), 160));
  const Scene scene = changed_scene(
      {R"(materials.rubber={"young": {"field": "E.npy"}, "density": {"field": "rho.npy"}, "fiber": {"stiffness": {"field": "E.npy"}, "direction": {"field": "d.npy"}}})"},
      folder.path);
  const MaterialAssignment& m = scene.setup.bodies[0].materials[0];
  ASSERT_EQ(m.parameters[1].size(), 40u);
  EXPECT_DOUBLE_EQ(m.parameters[1][7], (1e5 + 7) / 2.8);
  EXPECT_EQ(m.density[39], 700);
  EXPECT_EQ(m.fiber_stiffness[3], 1e5 + 3);
  EXPECT_EQ(Vec3(m.fiber_direction.col(4)), Vec3(0, 1, 0));
}

TEST(Fields, DirectionsAndRegionsOfAGrid) {
  const test::QuietLog log;
  const test::Folder folder;
  folder.write("one.vtu", test::one_tet_vtu);
  json scene = json::parse(R"({"materials": {"a": {"fiber": {"stiffness": 1, "direction": {"field": "fibre"}}}},
    "bodies": [{"name": "one", "mesh": "one.vtu", "material": {"regions": {"5": "a"}}}]})");
  const Scene read = parse_scene(scene, folder.path);
  EXPECT_EQ(Vec3(read.setup.bodies[0].materials[0].fiber_direction.col(0)), Vec3(0, 0.6, 0.8));
  scene["materials"]["a"] = {{"young", {{"field", "fibre"}}}};
  EXPECT_EQ(test::scene_error(scene, folder.path),
            "s.json: materials.a.young.field: found 1 x 3 values in \"fibre\", expected 1 x 1: one for each tet of the "
            "mesh");
}

// Temperatures by region, by field and with keyframes; the tets of a region and of ten-node tets.
TEST(Fields, TemperaturesByRegion) {
  const test::QuietLog log;
  const test::Folder folder;
  folder.write("two.msh", test::two_regions);
  const std::vector<double> heat{10, 20};
  folder.write("T.npy", test::npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", heat.data(), 16));
  json scene = json::parse(R"({"materials": {"a": {"expansion": 1e-5}},
    "bodies": [{"name": "pair", "mesh": "two.msh", "material": "a"}], "contact": {"enabled": false}})");
  const auto read = [&](const json& temperature, const char* elements) {
    scene["bodies"][0]["temperature"] = temperature;
    scene["bodies"][0]["elements"] = elements;
    return parse_scene(scene, folder.path).setup.bodies[0].heat;
  };
  const json keys = {{"times", {0, 1}}, {"values", {0, 50}}};
  const std::vector<HeatSetup> regions = read({{"regions", {{"1", 30}, {"2", keys}}}}, "linear");
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].at(0.5, 1, 0), 30);
  EXPECT_EQ(regions[1].at(0.5, 1, 0), 25);
  EXPECT_EQ(regions[0].tets.size() + regions[1].tets.size(), 2u);
  EXPECT_NE(regions[0].tets, regions[1].tets);
  const std::vector<HeatSetup> field = read({{"field", "T.npy"}}, "quadratic");
  ASSERT_EQ(field.size(), 1u);
  ASSERT_EQ(field[0].field.size(), 16u);
  EXPECT_EQ(field[0].at(0, 0.5, 7), 5);
  EXPECT_EQ(field[0].at(0, 0.5, 8), 10);
  const std::vector<HeatSetup> part = read({{"regions", {{"2", {{"field", "T.npy"}}}}}}, "quadratic");
  ASSERT_EQ(part.size(), 1u);
  EXPECT_EQ(part[0].tets.size(), 8u);
  EXPECT_EQ(part[0].field, std::vector<double>(8, 20.0));
  EXPECT_TRUE(read(0, "linear").empty());
}

TEST(Fields, InitialStrainAndFamilies) {
  const test::QuietLog log;
  const test::Folder folder;
  folder.write("two.msh", test::two_regions);
  std::vector<double> strain;
  for (int k = 0; k < 12; ++k) strain.push_back(0.01 * k);
  folder.write("E.npy", test::npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 6), }", strain.data(), 96));
  json scene = json::parse(R"({"materials": {"a": {"model": "holzapfel_gasser_ogden", "mu": 1e4, "bulk": 1e6, "k1": 1e5,
      "k2": 1, "dispersion": 0.1, "families": [[3, 0, 4], [0, 2, 0]], "initial_strain": {"field": "E.npy"},
      "viscosity": [{"time": 2, "modulus": 0.5}]}},
    "bodies": [{"name": "pair", "mesh": "two.msh", "material": "a", "elements": "quadratic"}]})");
  const MaterialAssignment material = parse_scene(scene, folder.path).setup.bodies[0].materials[0];
  ASSERT_EQ(material.initial_strain.cols(), 16);
  EXPECT_EQ(material.initial_strain(2, 0), strain[2]);
  EXPECT_EQ(material.initial_strain(1, 8), strain[7]);
  ASSERT_EQ(material.families.size(), 2u);
  EXPECT_EQ(Vec3(material.families[0].col(0)), Vec3(0.6, 0, 0.8));
  ASSERT_EQ(material.viscosity.size(), 1u);
  EXPECT_EQ(material.viscosity[0].time, 2);
}

TEST(Warnings, VelocitiesWithoutEffect) {
  const test::QuietLog log;
  EXPECT_THAT(changed_scene({R"(bodies[0].fix=["all"])", "bodies[0].velocity=[0,1,0]"}).warnings,
              ElementsAre("s.json: bodies[0].velocity: has no effect, since all vertices of body \"cube\" are fixed"));
  EXPECT_THAT(
      changed_scene({R"(bodies[0].fix=[{"all": true, "axes": "xz"}, {"all": true, "axes": "y"}])",
                     "bodies[0].angular_velocity=[0,1,0]"})
          .warnings,
      ElementsAre("s.json: bodies[0].angular_velocity: has no effect, since all vertices of body \"cube\" are fixed"));
  EXPECT_THAT(changed_scene({R"(bodies[0].fix=[{"all": true, "axes": "xz"}])", "bodies[0].velocity=[0,1,0]"}).warnings,
              testing::IsEmpty());
  EXPECT_THAT(changed_scene({"time.mode=static", "bodies[0].velocity=[0,1,0]", "bodies[0].damping.mass=1"}).warnings,
              ElementsAre("s.json: bodies[0].velocity: has no effect in mode \"static\"",
                          "s.json: bodies[0].damping: has no effect in mode \"static\", only on `sinew response`"));
}

TEST(Fixes, AxesInAnyOrder) {
  const test::QuietLog log;
  for (const char* axes : {"xz", "zx"}) {
    const Scene read = changed_scene({std::string(R"(bodies[0].fix=[{"all": true, "axes": ")") + axes + "\"}]"});
    EXPECT_EQ(read.setup.bodies[0].fixes[0].axes, (std::array{true, false, true}));
  }
}

struct RegionFixture : testing::Test {
  RegionFixture() {
    folder.write("two.msh", test::two_regions);
    scene = json::parse(R"({"materials": {"a": {}, "b": {"young": 5e6, "poisson": 0.4}},
      "bodies": [{"name": "pair", "mesh": "two.msh", "material": {"regions": {"1": "b", "hard": "a"}}}]})");
  }
  test::QuietLog log;
  test::Folder folder;
  json scene;
};

TEST_F(RegionFixture, MaterialsByIdAndName) {
  const Scene read = parse_scene(scene, folder.path);
  const auto& materials = read.setup.bodies[0].materials;
  ASSERT_EQ(materials.size(), 2u);
  EXPECT_EQ(materials[0].name, "b");
  EXPECT_THAT(materials[0].tets, ElementsAre(0));
  EXPECT_THAT(materials[1].tets, ElementsAre(1));
}

TEST_F(RegionFixture, FieldsCoverTheWholeBody) {
  folder.write("E.npy", test::npy_doubles("(2,)", {2.8e5, 5.6e5}));
  scene["materials"]["a"] = {{"young", {{"field", "E.npy"}}}};
  const Scene read = parse_scene(scene, folder.path);
  EXPECT_DOUBLE_EQ(read.setup.bodies[0].materials[1].parameters[1].at(0), 2e5);
}

TEST_F(RegionFixture, SelectionsByGroup) {
  const auto fixed = [&](const json& selection) {
    scene["bodies"][0]["fix"] = json::array({selection});
    return parse_scene(scene, folder.path).setup.bodies[0].fixes[0].vertices;
  };
  EXPECT_THAT(fixed({{"group", "left"}}), ElementsAre(0, 2, 3));
  EXPECT_THAT(fixed({{"group", "2:7"}}), ElementsAre(0, 2, 3));
  EXPECT_THAT(fixed({{"group", "hard"}}), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(fixed({{"not", {{"group", "left"}}}}), ElementsAre(1, 4));  // without the unused node
  EXPECT_THAT(fixed({{"any", {{{"vertices", {4}}}, {{"sphere", {{"center", {0, 0, 0}}, {"radius", 0.5}}}}}}}),
              ElementsAre(0, 4));
  EXPECT_THAT(fixed("all"), ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(RegionFixture, FacesByGroup) {
  const auto faces = [&](const json& selection) {
    json load = selection;
    load["pressure"] = 1;
    scene["bodies"][0]["loads"] = json::array({load});
    return parse_scene(scene, folder.path).setup.bodies[0].loads[0].faces;
  };
  const Triangles left = faces({{"group", "left"}});
  ASSERT_EQ(left.cols(), 1);
  EXPECT_EQ(left.sum(), 0 + 2 + 3);
  EXPECT_EQ(faces({{"group", "soft"}}).cols(), 3);
  EXPECT_EQ(faces({{"not", {{"group", "left"}}}}).cols(), 5);
  // "left" and the face 1 2 4 opposite to vertex 3; by vertices alone it would be all faces of both.
  EXPECT_EQ(faces({{"any", {{{"group", "left"}}, {{"vertices", {1, 2, 4}}}}}}).cols(), 2);
  EXPECT_EQ(faces({{"vertices", {0, 1, 2, 3}}}).cols(), 3);
}

// Node sets of Abaqus: a face is selected if all three vertices are in the set.
TEST_F(RegionFixture, SelectionsByGroupOfVertices) {
  folder.write("pair.inp",
               "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n5,1,1,1\n*ELEMENT,TYPE=C3D4,ELSET=soft\n1,1,2,3,4\n"
               "*ELEMENT,TYPE=C3D4,ELSET=hard\n2,2,3,4,5\n*NSET,NSET=side\n1,3,4,5\n*NSET,NSET=soft\n1,2\n");
  json& body = scene["bodies"][0];
  body["mesh"] = "pair.inp";
  body["fix"] = {{{"group", "side"}}};
  body["loads"] = {{{"group", "side"}, {"pressure", 1}}};
  const Scene read = parse_scene(scene, folder.path);
  EXPECT_THAT(read.setup.bodies[0].fixes[0].vertices, ElementsAre(0, 2, 3, 4));
  EXPECT_EQ(read.setup.bodies[0].loads[0].faces.cols(), 2);  // 0 2 3 and 2 3 4
  body["elements"] = "quadratic";  // with the nodes on the five edges between the four vertices
  EXPECT_EQ(parse_scene(scene, folder.path).setup.bodies[0].fixes[0].vertices.size(), 9u);
  body["fix"] = {{{"group", "soft"}}};
  EXPECT_THAT(test::scene_error(scene, folder.path),
              testing::HasSubstr("\"soft\" names vertices and tets of body \"pair\"; give 0:2 or 3:1"));
}

TEST(Selections, BoundsAreInclusive) {
  const auto count = [](const std::string& selection) {
    return changed_scene({"bodies[0].transform.translate=[0.1,0.3,0.7]", "bodies[0].fix=[" + selection + "]"})
        .setup.bodies[0]
        .fixes[0]
        .vertices.size();
  };
  EXPECT_EQ(count(R"({"box": [[0.6, -0.2, 0.2], [0.6, 0.8, 1.2]]})"), 9u);
  EXPECT_EQ(count(R"({"box": [[0.6, 0.8, 1.2], [-0.4, -0.2, 0.2]]})"), 27u);
  EXPECT_EQ(count(R"({"halfspace": {"point": [0, 0.8, 0], "normal": [0, 1, 0]}})"), 9u);
  EXPECT_EQ(count(R"({"not": {"halfspace": {"point": [0, 0.8, 0], "normal": [0, 1, 0]}}})"), 18u);
  EXPECT_EQ(count(R"({"sphere": {"center": [0.1, 0.3, 0.7], "radius": 0.5}})"), 7u);
}

TEST(Warnings, OfKeysWithoutEffect) {
  test::QuietLog log;
  const Scene scene = changed_scene({"materials.steel={}", "bodies[0].material=rubber", "size=1", "solver.handles=10",
                                     "solver.method=newton-pcg", "solver.linear_solver=pcg", "time.ramp=false",
                                     "contact.friction={\"pairs\": [[\"steel\", \"rubber\", 0.1]]}"});
  EXPECT_THAT(
      scene.warnings,
      ElementsAre("s.json: materials.steel: no body uses this material",
                  "s.json: solver.handles: has no effect with method \"newton-pcg\"",
                  "s.json: solver.linear_solver: has no effect with method \"newton-pcg\", only with \"newton\"",
                  "s.json: time.ramp: has no effect in mode \"dynamic\", only in \"static\"",
                  "s.json: size: has no effect, since the scene has no gallery shape"));
  EXPECT_TRUE(scene.setup.contact.pairs.empty());
  EXPECT_EQ(scene.completed["solver"]["handles"], 10);
  EXPECT_THAT(
      changed_scene({"solver.method=newton", "solver.linear_tolerance=0.01", "solver.linear_iterations=7"}).warnings,
      ElementsAre("s.json: solver.linear_tolerance: has no effect with method \"newton\" and its linear solver",
                  "s.json: solver.linear_iterations: has no effect with method \"newton\" and its linear solver"));
  EXPECT_THAT(changed_scene({"solver.method=newton-pcg", "solver.linear_tolerance=0.01"}).warnings, ElementsAre());
  EXPECT_THAT(
      changed_scene({"solver.method=multilevel", "solver.linear_tolerance=0.01", "solver.linear_preconditioner=jacobi",
                     "solver.multilevel={\"printed\": {}, \"basis\": \"rbf\", \"forcing\": 0.7}"})
          .warnings,
      ElementsAre(
          "s.json: solver.linear_preconditioner: has no effect with method \"multilevel\" and its linear solver",
          "s.json: solver.multilevel.forcing: has no effect with solver.multilevel.printed"));
  EXPECT_THAT(changed_scene({"time.mode=static", "time.step=0.1", "time.integrator=bdf2"}).warnings,
              ElementsAre("s.json: time.integrator: has no effect in mode \"static\"",
                          "s.json: time.step: has no effect in mode \"static\""));
  const auto parts = [](const char* method, const char* mode) {
    return changed_scene({std::string("solver.method=") + method, std::string("time.mode=") + mode, "time.substeps=8",
                          "time.max_travel=0.2"})
        .warnings;
  };
  EXPECT_THAT(parts("newton", "dynamic"), ElementsAre());
  EXPECT_THAT(parts("newton", "static"),
              ElementsAre("s.json: time.max_travel: has no effect in mode \"static\", only in \"dynamic\""));
  EXPECT_THAT(parts("reduced", "dynamic"), ElementsAre());
  EXPECT_THAT(changed_scene({"solver.method=reduced", "time.substeps=0", "time.max_travel=0"}).warnings, ElementsAre());
  EXPECT_THAT(changed_scene({"solver.method=newton", "time.substeps=0", "time.max_travel=0.2"}).warnings,
              ElementsAre("s.json: time.max_travel: has no effect with time.substeps 0, which never divides a step"));
}

TEST(Overrides, SetValuesByPath) {
  json scene = cube_scene();
  apply_override(scene, "materials.rubber.young=1e7");
  apply_override(scene, "bodies[0].name=a b");
  apply_override(scene, "bodies.0.velocity=[1,2,3]");
  apply_override(scene, "bodies[1].mesh=x.msh");
  apply_override(scene, "bodies[1].fix[0].group=left");
  apply_override(scene, "contact.friction.default=0.5");
  apply_override(scene, "name=\"3\"");
  apply_override(scene, "time.mode=");
  EXPECT_EQ(scene["materials"]["rubber"]["young"], 1e7);
  EXPECT_EQ(scene["bodies"][0]["name"], "a b");
  EXPECT_EQ(scene["bodies"][0]["velocity"], json({1, 2, 3}));
  EXPECT_EQ(scene["bodies"][1]["mesh"], "x.msh");
  EXPECT_EQ(scene["contact"]["friction"]["default"], 0.5);
  EXPECT_EQ(scene["name"], "3");
  EXPECT_EQ(scene["time"]["mode"], "");
}

TEST(Overrides, OfAFile) {
  const test::Folder folder;
  const std::string path = folder.write("cube.json", cube_scene().dump());
  EXPECT_EQ(read_scene(path, {"time.steps=3", "solver.method=newton-pcg"}).setup.time.steps, 3);
}

TEST(Npy, TypesAndOrders) {
  const test::Folder folder;
  const float floats[] = {1.5f, -2};
  const auto read = [&](const std::string& bytes) { return read_npy(folder.write("a.npy", bytes)); };
  EXPECT_THAT(read(test::npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", floats, 8)).values,
              ElementsAre(1.5, -2));
  const std::uint8_t bytes[] = {7, 200};
  EXPECT_THAT(read(test::npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 1), }", bytes, 2)).values,
              ElementsAre(7, 200));
  const NumberArray array = read(test::npy_doubles("(2, 3)", {1, 4, 2, 5, 3, 6}, true));
  EXPECT_EQ(array.rows, 2u);
  EXPECT_THAT(array.values, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Npy, HeadersOfAnyLength) {
  const test::Folder folder;
  const double one = 1;
  const auto error = [&](const std::string& shape) {
    try {
      read_npy(folder.write(
          "a.npy", test::npy("{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + "), }", &one, 8)));
      return std::string("none");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
  };
  std::string ones;
  for (int i = 0; i < 15000; ++i) ones += "1, ";
  EXPECT_THAT(error(ones), testing::HasSubstr("found an array of 15000 dimensions, expected 1 or 2"));
  EXPECT_THAT(error("99999999999999999999999"), testing::HasSubstr("compound type"));
  EXPECT_THAT(error("4294967296, 4294967296"), testing::HasSubstr("the file is truncated"));
  EXPECT_EQ(error(" 1 ,1"), "none");
}

TEST(Suggestions, OfNearNames) {
  EXPECT_EQ(did_you_mean("radus", {"radius", "size"}), "; did you mean \"radius\"?");
  EXPECT_EQ(did_you_mean("young_modulus", {"young", "poisson"}), "; did you mean \"young\"?");
  EXPECT_EQ(did_you_mean("Newton-PCG", {"newton", "newton-pcg"}), "; did you mean \"newton-pcg\"?");
  EXPECT_EQ(did_you_mean("colour", {"radius", "size"}), "");
  EXPECT_EQ(did_you_mean("x", {"y"}), "");
}

// As `sinew fit` finds them: 2e5 (l - l^-2) is a neo-Hookean solid held incompressible.
TEST(FittedMaterials, TakeTheirParametersFromMeasuredCurves) {
  const test::Folder folder;
  test::write_bad_files(folder);
  const Scene scene = test::changed_scene(
      {R"(materials.rubber={"from_data": {"file": "good.csv", "poisson": 0.45}, "density": 900})"}, folder.path);
  const auto& rubber = scene.completed["materials"]["rubber"];
  EXPECT_FALSE(rubber.contains("from_data"));
  EXPECT_FALSE(rubber.contains("young"));
  EXPECT_NEAR(rubber["mu"].get<double>(), 2e5, 1);
  EXPECT_NEAR(rubber["lambda"].get<double>(), 18e5, 10);
  EXPECT_EQ(rubber["density"], 900);
  ASSERT_EQ(scene.fits.size(), 1u);
  EXPECT_EQ(scene.fits[0].material, "rubber");
  EXPECT_EQ(scene.fits[0].place, "materials.rubber.from_data");
  EXPECT_LT(scene.fits[0].result.rms.at(0), 1);
  EXPECT_NEAR(scene.setup.bodies[0].materials[0].parameters[1][0], 2e5, 1);
  EXPECT_TRUE(scene.warnings.empty());
  // A completed scene needs the file no more.
  const Scene again = parse_scene(nlohmann::json(scene.completed), "/nowhere");
  EXPECT_EQ(again.completed["materials"], scene.completed["materials"]);
}

TEST(FittedMaterials, OfABodyAloneAndOfCurves) {
  const test::Folder folder;
  test::write_bad_files(folder);
  const std::string material =
      R"({"model": "spline", "from_data": {"measurements": [{"file": "good.csv"}], "knots": [0.7, 1.5, 2]}})";
  const Scene scene = test::changed_scene({"materials={}", "bodies[0].material=" + material}, folder.path);
  const auto& completed = scene.completed["bodies"][0]["material"];
  EXPECT_EQ(completed["a"]["x"], nlohmann::ordered_json({0.7, 1.0, 1.5, 2.0}));
  EXPECT_EQ(scene.fits.at(0).material, "cube");
  const auto found = fit_material("spline", scene.fits[0].measurements, scene.fits[0].options);
  EXPECT_EQ(completed["a"]["dy"].get<std::vector<double>>(), found.curves.points.at("a").dy);
}

TEST(FittedMaterials, ResponsesAreNominalStresses) {
  const test::Folder folder;
  test::write_bad_files(folder);
  const Scene scene =
      test::changed_scene({R"(materials.rubber={"from_data": {"file": "good.csv", "poisson": 0.45}})"}, folder.path);
  const auto all = measured_responses(scene.completed, measurements_of(scene.fits));
  const auto& rubber = all.at("rubber");
  ASSERT_EQ(rubber["response"].size(), 1u);
  const auto& uniaxial = rubber["response"][0];
  const auto stretch = uniaxial["stretch"].get<std::vector<double>>();
  EXPECT_NEAR(stretch.front(), 0.8, 1e-5);
  EXPECT_NEAR(stretch.back(), 2, 1e-5);
  for (std::size_t i = 0; i < stretch.size(); ++i) {
    const double l = stretch[i], expected = 2e5 * (l - 1 / (l * l));
    EXPECT_NEAR(uniaxial["stress"][i].get<double>(), expected, 2);
  }
  EXPECT_EQ(rubber["measured"][0]["points"], 4);
  EXPECT_EQ(rubber["measured"][0]["stress"][3], 350000.0);
  EXPECT_EQ(rubber["measured"][0]["rms"], scene.fits[0].result.rms[0]);
}

}  // namespace
}  // namespace sinew
