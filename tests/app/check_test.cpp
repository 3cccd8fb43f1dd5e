#include <cmath>

#include "app/check_fixture.h"
#include "support/paths.h"
#include <gmock/gmock.h>

#include "sinew/formats/read.h"
#include "sinew/formats/write_msh.h"
#include "sinew/mesh/primitives.h"

namespace sinew::check_test {
namespace {

using test::sinew;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A script in place of sinew-mesh: the mesh is a cube of it.
TEST_F(Check, NamesTheMeshesOfShapes) {
  write_msh(path("cube.msh"), make_box(Vec3(0.1, 0.1, 0.1), {2, 2, 2}));
  const std::string mesher =
      write("mesher", "#!/bin/sh\nfor last; do :; done\ncp '" + path("cube.msh") + "' \"$last\"\n");
  std::filesystem::permissions(mesher, std::filesystem::perms::owner_all);
  const test::Variable named("SINEW_MESH", mesher);
  scene_["bodies"][0]["mesh"] = {{"shape", "cube"}};
  scene_["obstacles"][1]["mesh"] = {{"shape", "wall"}, {"size", 0.5}};
  const auto result = check();
  const auto run = Json::parse(check({"--json", "-"}).out)["run"];
  EXPECT_EQ(result.code, 0) << result.err;
  const std::string file = run["shapes"][0]["file"];
  EXPECT_THAT(file, testing::StartsWith(path("cache/sinew/meshes/cube-")));
  EXPECT_THAT(result.out,
              HasSubstr("shapes:\n  bodies[0].mesh: cube, size small, 27 vertices, 40 tets, " + file + "\n"));
  EXPECT_THAT(result.out, HasSubstr("  obstacles[1].mesh: wall, size 0.5, 26 vertices, 48 triangles, "));
  EXPECT_EQ(run["triangles"], 48);
}

TEST_F(Check, PrintsTheCompletedSceneAndItsSize) {
  const auto result = check();
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\"max_iterations\": 200"));
  EXPECT_THAT(result.out, HasSubstr("cube: 27 vertices, 40 tets, 0.1 x 0.1 x 0.1 m, 1 kg"));
  EXPECT_THAT(result.out, HasSubstr("ground: a plane"));
  EXPECT_THAT(result.out, HasSubstr("wall: 8 vertices, 12 triangles, moving"));
  EXPECT_THAT(result.out, HasSubstr("rubber: neo_hookean, 40 tets"));
  EXPECT_THAT(result.out, HasSubstr("run: 6 steps of 0.01 s, BDF2, method newton"));
  EXPECT_THAT(result.out, HasSubstr("\ntolerance: "));
  EXPECT_THAT(result.out, HasSubstr("memory: about "));
  EXPECT_THAT(result.out, testing::EndsWith("\nno problems found\n"));
  EXPECT_EQ(listing(), std::vector<std::string>{"scene.json"});
  EXPECT_EQ(result.err, "");
  const auto brief = check({"--brief"});
  EXPECT_THAT(brief.out, testing::StartsWith("bodies:\n"));
}

TEST_F(Check, JsonHasTheSceneAndTheFindings) {
  const auto result = check({"--json", "-"});
  const Json all = Json::parse(result.out);
  EXPECT_EQ(all["scene"]["solver"]["max_iterations"], 200);
  EXPECT_EQ(all["run"]["tets"], 40);
  EXPECT_EQ(all["findings"], Json::array());
  EXPECT_EQ(all["verdict"], "no problems found");
  EXPECT_THAT(result.err, HasSubstr("no problems found"));
  EXPECT_EQ(check({"--json", path("found.json")}).code, 0);
  Json first = all["run"], second = json("found.json")["run"];
  for (Json* run : {&first, &second}) run->erase("free_memory_bytes");  // changes from moment to moment
  EXPECT_EQ(second, first);
  const auto nowhere = check({"--json", path("no/found.json")});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("no/found.json"));
}

TEST_F(Check, PrintsWhatMaterialsWereFittedTo) {
  const std::string curve = write("rubber.csv", "stretch,stress\n0.8,-152500\n1,0\n1.5,211111.11\n2,350000\n");
  scene_["materials"]["rubber"] = {{"from_data", {{"file", "rubber.csv"}, {"poisson", 0.45}}}};
  for (auto& body : scene_["bodies"]) body["material"] = "rubber";
  save();
  const auto result = sinew({"check", scene_path_, "--brief", "--json", path("check.json")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(
      result.out,
      HasSubstr("iterations with Poisson's ratio 0.45\n    lambda 1.8e+06 Pa +- < 0.01 %, mu 200000 Pa +- < 0.01 %\n"));
  EXPECT_THAT(result.out, HasSubstr("rubber.csv: uniaxial, 4 points, stretch 0.8 to 2: residual "));
  const auto fit = json("check.json")["run"]["materials"]["rubber"]["fit"];
  EXPECT_NEAR(fit["parameters"]["mu"].get<double>(), 2e5, 1);
  EXPECT_LT(fit["measurements"][0]["rms"].get<double>(), 1);
  // A file that the scene reads is not written over.
  EXPECT_THAT(sinew({"check", scene_path_, "--json", curve}).err, HasSubstr("reads; give another name"));
}

TEST_F(Check, DoesNotWarnOfTheExamples) {
  for (const auto& entry : std::filesystem::directory_iterator(test::source_folder() + "/scenes")) {
    if (entry.is_directory()) continue;  // the gallery, which has its own test
    const auto result = sinew({"check", entry.path().string(), "--json", "-"});
    EXPECT_EQ(result.code, 0) << entry.path();
    // Remarks tell what some of them are too coarse, or too strongly damped, for.
    for (const Json& finding : Json::parse(result.out)["findings"])
      EXPECT_EQ(finding["severity"], "remark") << entry.path() << ' ' << finding.dump();
  }
}

// ---- intersections

TEST_F(Check, ListsInitialIntersections) {
  scene_["bodies"][0]["transform"]["translate"] = {0.17, 0.045, 0};
  const auto result = check();
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.out, HasSubstr("\nintersection: body 'cube' with obstacle 'wall': "));
  EXPECT_THAT(result.out, HasSubstr("\n  edge ("));
  EXPECT_THAT(result.out,
              HasSubstr("intersection: 9 vertices of body 'cube' are on or behind plane 'ground', the deepest by "
                        "0.005 m: vertex "));
  EXPECT_THAT(result.err, HasSubstr("the scene cannot run: 2 errors (listed above); to see the intersections, write "
                                    "them as a mesh with --intersections FILE.vtu"));
  EXPECT_THAT(result.err, Not(HasSubstr("nothing found")));
  for (const Json& f : findings()) EXPECT_EQ(f["severity"], "error");
}

// In the numbering of the files: the file's vertices are shuffled against the simulation's.
TEST_F(Check, IntersectionsNameTheVerticesOfTheFiles) {
  write("blade.obj", "v 9 9 9\nv 0 0.06 -0.2\nv 0.02 0.06 0.2\nv -0.02 0.06 0.2\nf 4 3 2\n");
  scene_["obstacles"] = Json::array({{{"name", "blade"}, {"mesh", "blade.obj"}}});
  const std::vector<Json> found = of_kind("intersection");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0]["bodies"], ElementsAre("cube", "blade"));
  EXPECT_EQ(found[0]["value"].get<std::size_t>(), found[0]["primitives"].size());
  int of_blade = 0;
  for (const Json& p : found[0]["primitives"]) {
    const bool edge = p["edge_of"] == "blade";
    of_blade += edge;
    for (const Json& v : p[edge ? "edge" : "triangle"]) EXPECT_TRUE(v == 1 || v == 2 || v == 3) << p.dump();
    EXPECT_NEAR(p["position"][1].get<double>(), 0.06, 1e-12);  // on the blade
    EXPECT_NEAR(std::max(std::abs(p["position"][0].get<double>()), std::abs(p["position"][2].get<double>())), 0.05,
                0.0501);
  }
  EXPECT_GT(of_blade, 0);
}

TEST_F(Check, WritesWhatIntersects) {
  scene_["bodies"][0]["transform"]["translate"] = {0.17, 0.045, 0};
  for (const std::string name : {"found.obj", "found.ply"}) {
    const auto result = check({"--brief", "--intersections", path(name)});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.out, HasSubstr("primitives that intersect are in " + path(name)));
    EXPECT_THAT(result.err, Not(HasSubstr("--intersections")));
    const TriMesh mesh = read_tri_mesh(path(name));
    EXPECT_GT(mesh.triangles.cols(), 10);
    EXPECT_NEAR(mesh.vertices.row(1).minCoeff(), -0.005, 1e-12);  // also what is behind the plane
  }
  EXPECT_THAT(test::slurp(path("found.obj")), testing::AllOf(HasSubstr("\no cube\n"), HasSubstr("\no wall\n")));
  EXPECT_EQ(check({"--intersections", path("found.vtu")}).code, 2);
  EXPECT_THAT(test::slurp(path("found.vtu")), testing::AllOf(HasSubstr("owner_id"), HasSubstr("vertex_id")));
}

TEST_F(Check, WritesNothingWithoutIntersections) {
  const auto clean = check({"--intersections", path("found.obj")});
  EXPECT_EQ(clean.code, 0);
  EXPECT_THAT(clean.out, HasSubstr("no intersections: " + path("found.obj") + " is not written"));
  EXPECT_THAT(listing(), ElementsAre("scene.json"));
  const auto format = check({"--intersections", path("found.stl")});
  EXPECT_EQ(format.code, 2);
  EXPECT_THAT(format.err, HasSubstr("expected a file name that ends in one of \".vtu\", \".obj\", \".ply\""));
  EXPECT_EQ(check({"--intersections", path("no/found.obj")}).code, 2);
  const auto both = check({"--intersections", path("found.obj"), "--json", path("./found.obj")});
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr("--json: found \"" + path("./found.obj") + "\", the file of --intersections"));
}

TEST_F(Check, FindsBodiesInsideOthers) {
  Json inner = scene_["bodies"][0];
  inner["name"] = "inner";
  inner["mesh"]["box"]["size"] = {0.01, 0.01, 0.01};
  inner["transform"]["translate"] = {0.01, 0.07, 0.01};
  scene_["bodies"].push_back(inner);
  expect_one("overlap", "warning", "body 'inner' lies in body 'cube'");
  EXPECT_EQ(check().code, 0);
  scene_["contact"]["ignore"] = Json::array({Json::array({"inner", "cube"})});
  EXPECT_THAT(of_kind("overlap"), IsEmpty());
}

TEST_F(Check, FindsBodiesInsideClosedObstacles) {
  scene_["obstacles"][1]["mesh"] = {{"box", {{"size", {1, 1, 1}}, {"cells", {2, 2, 2}}}}};
  scene_["obstacles"][1].erase("transform");
  expect_one("overlap", "warning", "body 'cube' lies inside the closed obstacle 'wall'");
  EXPECT_EQ(check().code, 0);
  scene_["obstacles"][1]["mesh"]["box"]["size"] = {0.002, 0.002, 0.002};
  scene_["obstacles"][1]["transform"]["translate"] = scene_["bodies"][0]["transform"]["translate"];
  scene_["obstacles"][1]["transform"]["translate"][0] = 0.011;
  expect_one("overlap", "warning", "obstacle 'wall' lies in body 'cube'");
}

TEST_F(Check, FindsSpringsToOneMean) {
  Json other = scene_["bodies"][0];
  other["name"] = "other";
  other["transform"]["translate"] = {0, 0.5, 0};
  other["springs"] = Json::parse(R"([{"all": true, "stiffness": 1, "to": {"body": "cube", "all": true}}])");
  scene_["bodies"].push_back(other);
  expect_one("springs", "remark", "pull its 27 vertices to one point, the mean of 27 vertices of body 'cube'");
  scene_["bodies"][1]["springs"][0]["to"]["at"] = "nearest";
  EXPECT_THAT(of_kind("springs"), IsEmpty());
}

TEST_F(Check, FindsBeamsOfFewLayers) {
  scene_["bodies"][0]["mesh"]["box"] = {{"size", {1, 0.05, 0.05}}, {"cells", {40, 2, 2}}};
  scene_["obstacles"].erase(1);
  expect_one("locking", "remark", "has 2 layers of tets across: in bending, linear tets make it");
  scene_["bodies"][0]["mesh"]["box"]["cells"] = {40, 4, 4};
  EXPECT_THAT(of_kind("locking"), IsEmpty());
  scene_["bodies"][0]["mesh"]["box"] = {{"size", {0.1, 0.1, 0.1}}, {"cells", {2, 2, 2}}};
  EXPECT_THAT(of_kind("locking"), IsEmpty());
}

// A rod on a hinge: omega^2 = g d / (L^2 / 12 + d^2) with d = L / 2, and steps of 0.01 s.
TEST_F(Check, TellsWhatImplicitEulerTakesOfSwings) {
  scene_["time"] = {{"step", 0.05}, {"steps", 10}};
  scene_["obstacles"] = Json::array();
  scene_["gravity"] = {0, -9.81, 0};
  scene_["bodies"][0]["mesh"]["box"] = {{"size", {0.02, 1, 0.02}}, {"cells", {1, 10, 1}}};
  scene_["bodies"][0]["transform"] = Json::object();
  scene_["bodies"][0].erase("velocity");
  scene_["bodies"][0]["fix"] = Json::parse(R"([{"box": [[-0.011, 0.49, -1], [-0.009, 1, 1]]}])");
  const std::vector<Json> found = of_kind("damping");
  ASSERT_EQ(found.size(), 1u) << check().out;
  const double turn = 0.05 * std::sqrt(9.81 * 0.5 / (1.0 / 12 + 0.25));
  EXPECT_NEAR(found[0]["value"].get<double>(), 1 - std::exp(-M_PI * turn), 0.03);
  EXPECT_THAT(found[0]["remedy"].get<std::string>(), HasSubstr("bdf2"));
  scene_["time"]["integrator"] = "bdf2";
  EXPECT_THAT(of_kind("damping"), IsEmpty());
}

// A cube of side a vibrates with omega^2 = 12 E / (rho a^2).
TEST_F(Check, TellsThatNewmarkDoesNotDampAffineBodies) {
  scene_["time"] = {{"step", 0.01}, {"steps", 10}, {"integrator", "newmark"}};
  scene_["obstacles"] = Json::array();
  scene_["materials"] = Json::parse(R"({"resin": {"young": 1e9, "poisson": 0.3, "density": 1000}})");
  scene_["bodies"][0]["material"] = "resin";
  scene_["bodies"][0]["mesh"] = Json::parse(R"({"box": {"size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}})");
  scene_["bodies"][0]["kinematics"] = "affine";
  const std::vector<Json> found = of_kind("newmark");
  ASSERT_EQ(found.size(), 1u) << check().out;
  EXPECT_NEAR(found[0]["value"].get<double>() / (0.01 * std::sqrt(12 * 1e9 / (1000 * 0.01))), 1, 1e-9);
  scene_["time"]["newmark"] = {{"gamma", 0.6}, {"beta", 0.31}};
  EXPECT_THAT(of_kind("newmark"), IsEmpty());
  scene_["time"] = {{"step", 0.01}, {"steps", 10}, {"integrator", "bdf2"}};
  EXPECT_THAT(of_kind("newmark"), IsEmpty());
}

// ---- gaps

TEST_F(Check, NamesThinGaps) {
  scene_["bodies"][0]["transform"]["translate"] = {0, 0.0505, 0};
  const auto result = check();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("thin gap: 'cube' and 'ground' start with 9 pairs closer than contact.distance (0.001 m)"));
  EXPECT_THAT(result.out, HasSubstr("smallest gap: 0.0005 m, between vertex "));
  EXPECT_THAT(result.out, testing::EndsWith("\nthe scene can run: 1 remark\n"));
  const std::vector<Json> found = of_kind("thin gap");
  EXPECT_NEAR(found[0]["value"].get<double>(), 0.0005, 1e-15);
  EXPECT_NEAR(found[0]["position"][1].get<double>(), 0.0005, 1e-15);
}

// Two blocks of one body, 0.5 mm apart.
TEST_F(Check, NamesThinGapsOfABodyWithItself) {
  TetMesh mesh = make_box(Vec3(0.1, 0.1, 0.1), {1, 1, 1});
  const Index n = mesh.vertex_count();
  TetMesh both = mesh;
  both.vertices.resize(3, 2 * n);
  both.vertices << mesh.vertices, mesh.vertices.colwise() + Vec3(0, 0.1005, 0);
  both.tets.resize(4, 2 * mesh.tets.cols());
  both.tets << mesh.tets, mesh.tets.array() + n;
  both.regions.resize(both.tets.cols(), 0);
  write_msh(path("blocks.msh"), both);
  scene_["bodies"][0]["mesh"] = "blocks.msh";
  expect_one("thin gap", "warning", "'cube' and itself start with ");
  expect_one("unconnected", "remark", "body 'cube' consists of 2 separate pieces");
  scene_["contact"]["self"] = false;
  EXPECT_THAT(of_kind("thin gap"), IsEmpty());
}

// ---- meshes

class CheckMesh : public Check {
 protected:
  // A mesh file of these vertices and tets (ids from 0), taken by the body.
  void use(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 4>>& tets,
           const std::string& names = "") {
    std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + names + "$Nodes\n";
    text += std::to_string(vertices.size()) + "\n";
    for (std::size_t i = 0; i < vertices.size(); ++i)
      text += fmt::format("{} {} {} {}\n", i + 1, vertices[i].x(), vertices[i].y(), vertices[i].z());
    text += "$EndNodes\n$Elements\n" + std::to_string(tets.size()) + "\n";
    for (std::size_t i = 0; i < tets.size(); ++i)
      text += fmt::format("{} 4 2 1 1 {} {} {} {}\n", i + 1, tets[i][0] + 1, tets[i][1] + 1, tets[i][2] + 1,
                          tets[i][3] + 1);
    write("mesh.msh", text + "$EndElements\n");
    scene_["bodies"][0]["mesh"] = "mesh.msh";
    scene_["bodies"][0]["transform"] = {{"scale", 0.1}, {"translate", {0, 0.05, 0}}};
  }
};

TEST_F(CheckMesh, Slivers) {
  use({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 1e-6}}, {{0, 1, 2, 3}});
  expect_one("sliver", "warning", "body 'cube' has 1 nearly flat tets of 1");
  const auto result = check();
  EXPECT_THAT(result.out, HasSubstr("\n  tet 0 (vertices 0 1 2 3) at (0.0325, 0.0825, 2.5e-08) m: quality "));
  EXPECT_EQ(result.out.find("nearly flat"), result.out.rfind("nearly flat"));  // said once
  EXPECT_EQ(result.err, "");
}

TEST_F(CheckMesh, PiecesThatNothingJoins) {
  use({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 0, 0}, {4, 0, 0}, {3, 1, 0}, {3, 0, 1}, {7, 7, 7}},
      {{0, 1, 2, 3}, {4, 5, 6, 7}});
  expect_one("unconnected", "remark", "2 separate pieces");
  expect_one("unused vertices", "remark", "1 of 9 vertices of body 'cube' are in no tet");
  EXPECT_THAT(of_kind("hinge"), IsEmpty());
}

TEST_F(CheckMesh, PartsThatOnlyAVertexJoins) {
  use({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {{0, 1, 2, 3}, {0, 5, 4, 6}});
  expect_one("hinge", "warning", "2 parts");
  EXPECT_THAT(of_kind("unconnected"), IsEmpty());
}

TEST_F(CheckMesh, RegionsWithoutTets) {
  use({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}},
      "$PhysicalNames\n2\n3 1 \"bone\"\n3 2 \"flesh\"\n$EndPhysicalNames\n");
  expect_one("empty region", "remark", "region \"flesh\"");
}

// ---- units

TEST_F(Check, SizesOfOtherUnits) {
  scene_["bodies"][0]["mesh"]["box"]["size"] = {1000, 1, 1};
  scene_["bodies"][0]["transform"]["translate"] = {600, 1, 0};
  EXPECT_THAT(of_kind("units"), testing::SizeIs(1));
  scene_["obstacles"] = Json::array();
  expect_one("units", "warning", "body 'cube' measures 1000 m from corner to corner");
  scene_["bodies"][0]["mesh"]["box"]["size"] = {100, 10, 10};
  expect_one("units", "remark", "measures 101 m from corner to corner and weighs 1e+07 kg");
  scene_["bodies"][0]["mesh"]["box"]["size"] = {1e-6, 1e-6, 1e-6};
  expect_one("units", "warning", "body 'cube' measures 1.732e-06 m");
  scene_["bodies"][0]["mesh"]["box"]["size"] = {1, 1, 1};
  EXPECT_THAT(of_kind("units"), IsEmpty());
}

TEST_F(Check, MaterialsOfOtherUnits) {
  Json& rubber = scene_["materials"]["rubber"];
  rubber["young"] = 1e3;
  expect_one("units", "warning", "material 'rubber' has a Young's modulus of 1000 Pa, as soft as jelly");
  rubber["young"] = 1e15;
  expect_one("units", "warning", "stiffer than diamond");
  rubber["young"] = 2e11;
  EXPECT_THAT(of_kind("units"), IsEmpty());
  rubber["density"] = 1.2;
  expect_one("units", "warning", "has a density of 1.2 kg/m^3, lighter than foam");
  rubber["density"] = 1e6;
  expect_one("units", "warning", "heavier than any metal");
  rubber["density"] = 1000;
}

TEST_F(Check, LayersOfNearlyIncompressibleMaterial) {
  Json& rubber = scene_["materials"]["rubber"];
  Json& cells = scene_["bodies"][0]["mesh"]["box"]["cells"];
  EXPECT_THAT(of_kind("locking"), IsEmpty());  // 2 layers, but a ratio of 0.4
  rubber["poisson"] = 0.49;
  expect_one("locking", "warning", "body 'cube' has 2 layers of tets across (100 % of it is no thicker, as at ");
  expect_one("locking", "warning",
             "of material 'rubber' with a Poisson's ratio of 0.49: held between stiff faces it is about 2.5 times too "
             "stiff, since linear tets lock near a ratio of 0.5");
  EXPECT_THAT(
      of_kind("locking")[0]["remedy"].get<std::string>(),
      testing::StartsWith("set \"elements\" of the body to \"quadratic_mixed\", which does not lock (117 vertices "
                          "in place of 27), or take 6 layers or more across (a finer mesh), or a lower "
                          "Poisson's ratio"));
  EXPECT_THAT(of_kind("locking")[0]["bodies"], ElementsAre("cube", "rubber"));
  EXPECT_NEAR(of_kind("locking")[0]["value"].get<double>(), 2.54, 0.01);
  rubber["poisson"] = 0.45;
  expect_one("locking", "warning", "about 27 % too stiff");
  cells = {4, 4, 4};
  EXPECT_THAT(of_kind("locking"), IsEmpty());  // 8 % say nothing
  rubber["poisson"] = 0.499;
  expect_one("locking", "warning", "4 layers of tets across");
  cells = {12, 12, 12};
  expect_one("locking", "remark", "8 layers of tets or more across, of material 'rubber'");
  rubber["poisson"] = 0.49;
  EXPECT_THAT(of_kind("locking"), IsEmpty());
  cells = {12, 2, 12};
  expect_one("locking", "warning", "2 layers of tets across");
}

// A region of a body counts for itself, and so does each of its pieces.
TEST_F(CheckMesh, LayersOfRegions) {
  TetMesh mesh = make_box(Vec3(0.1, 0.1, 0.1), {10, 10, 10});
  mesh.regions.assign(static_cast<std::size_t>(mesh.tet_count()), 1);
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    double y = 0;
    for (int k = 0; k < 4; ++k) y += mesh.vertices(1, mesh.tets(k, t)) / 4;
    if (y > 0.03) mesh.regions[t] = 2;
    if (y > 0.04) mesh.regions[t] = 3;
  }
  write_msh(path("regions.msh"), mesh);
  scene_["bodies"][0]["mesh"] = "regions.msh";
  const Json rubber = {{"young", 1e6}, {"poisson", 0.49}}, steel = {{"young", 1e9}, {"poisson", 0.3}};
  scene_["materials"] = {{"rubber", rubber}, {"steel", steel}};
  scene_["bodies"][0]["material"] = {{"regions", {{"1", "rubber"}, {"2", "steel"}, {"3", "rubber"}}}};
  expect_one("locking", "warning", "body 'cube' has 1 layer of tets across (100 % of it is no thicker, as at ");
}

TEST_F(Check, GravityOfOtherUnits) {
  scene_["gravity"] = {0, -9810, 0};
  expect_one("units", "warning", "gravity is 9810 m/s^2; is it in mm/s^2?");
}

TEST_F(Check, BodiesThatTheirWeightCrushes) {
  scene_["materials"]["rubber"]["young"] = 5e3;
  scene_["bodies"][0]["mesh"]["box"]["size"] = {1, 1, 1};
  scene_["bodies"][0]["transform"]["translate"] = {0, 1, 5};
  expect_one("weight", "warning", "is 1.96 times its Young's modulus");
}

TEST_F(Check, LoadsAboveTheStiffness) {
  scene_["bodies"][0]["loads"] = {{{"all", true}, {"pressure", 3e5}}};
  expect_one("load", "warning", "a load of 3e+05 Pa on body 'cube' is above its Young's modulus");
  scene_["bodies"][0]["loads"] = {{{"all", true}, {"pressure", 3e4}}};
  EXPECT_THAT(of_kind("load"), IsEmpty());
}

TEST_F(Check, BodiesOfVeryDifferentMass) {
  Json heavy = scene_["bodies"][0];
  heavy["name"] = "heavy";
  heavy["mesh"]["box"]["size"] = {10, 10, 10};
  heavy["transform"]["translate"] = {20, 6, 0};
  scene_["materials"]["iron"] = {{"young", 2e11}, {"density", 7800}};
  heavy["material"] = "iron";
  scene_["bodies"].push_back(heavy);
  expect_one("mass ratio", "remark", "body 'heavy' weighs 7.8e+06 kg, body 'cube' 1 kg");
}

// ---- names

TEST_F(Check, MaterialsAndPairsWithoutUse) {
  scene_["materials"]["steel"] = {{"young", 2e11}};
  scene_["contact"]["friction"] = {{"pairs", {{"steel", "rubber", 0.5}, {"rubber", "wall", 0.5}}}};
  expect_one("unused material", "remark", "no body uses material 'steel'");
  expect_one("friction pair", "remark", "no body or obstacle has material 'steel'");
  EXPECT_EQ(check().err, "");
}

TEST_F(Check, WarningsOfTheSceneAreFindings) {
  scene_["size"] = 1;
  expect_one("note", "remark", "size: has no effect");
  EXPECT_EQ(check().err, "");
}

// ---- scales

TEST_F(Check, TimeStepsThatAreTooLarge) {
  scene_["bodies"][0]["velocity"] = {0, 30, 0};
  expect_one("time step", "warning", "body 'cube' starts at 30 m/s and moves 1.73 times its own size");
  scene_["bodies"][0]["velocity"] = {0, 0, 0};
  scene_["time"]["step"] = 0.5;
  EXPECT_THAT(of_kind("time step"), testing::SizeIs(1));
  expect_one("time step", "warning", "body 'cube' of 0.1732 m falls 1.226 m in its first step of 0.5 s");
  scene_["time"]["step"] = 0.01;
  scene_["obstacles"][1]["motion"]["translate"]["times"] = {0, 0.002};
  scene_["obstacles"][1]["motion"]["translate"]["values"] = {{0, 0, 0}, {0, 0, 1}};
  expect_one("time step", "warning", "the prescribed motion of obstacle 'wall' covers 1 m in one step at time 0");
}

// ---- the start

TEST_F(Check, FixedVerticesThatJumpAtTheStart) {
  Json& fix = scene_["bodies"][0]["fix"];
  fix = {{{"halfspace", {{"point", {0, 0.1, 0}}, {"normal", {0, 1, 0}}}}, {"axes", "y"}}};
  fix[0]["motion"] = {{"translate", {{"times", {0, 1}}, {"values", {{5, 1e-4, 0}, {0, 2, 0}}}}}};
  EXPECT_THAT(of_kind("jump"), IsEmpty());  // too small to be seen, and not along x
  fix[0]["motion"]["translate"]["values"][0][1] = 0.05;
  expect_one("jump", "warning",
             "9 prescribed vertices of body 'cube' start up to 0.05 m (0.29 of its diagonal) away from their motion at "
             "time 0, "
             "and jump there in the first step; the farthest is vertex ");
  fix[0]["until"] = 0.005;  // let go before
  EXPECT_THAT(of_kind("jump"), IsEmpty());
}

TEST_F(Check, StatesToStartFrom) {
  scene_["bodies"][0]["fix"] = {
      {{"all", true}, {"motion", {{"translate", {{"times", {0, 1}}, {"values", {{0, 0, 0}, {0, 1, 0}}}}}}}}};
  save();
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("first"), "--steps", "2"}).code, 0);
  scene_["initial"] = "first/checkpoint.h5";
  const auto goes_on = check();
  EXPECT_THAT(goes_on.out, HasSubstr("\ninitial: " + path("first/checkpoint.h5") + ", from time 0.02 s on\n"));
  EXPECT_THAT(of_kind("jump"), IsEmpty());
  scene_["initial"] = {{"file", "first/checkpoint.h5"}, {"time", "reset"}};
  expect_one("jump", "warning", "start up to 0.02 m");
  EXPECT_THAT(check().out, HasSubstr("continue from the time of the initial state (no \"time\": \"reset\")"));
  scene_["initial"] = "first/checkpoint.h5";
  scene_["time"] = {{"mode", "static"}, {"steps", 2}};
  expect_one("initial", "remark", "from a dynamic run, whose time is not a load factor: time starts at 0");
  scene_["initial"] = {{"file", "first/checkpoint.h5"}, {"time", "reset"}};
  EXPECT_THAT(of_kind("initial"), IsEmpty());
}

TEST_F(Check, StaticStatesWithTheWholeLoadOn) {
  scene_["bodies"][0]["fix"] = {"all"};
  scene_["obstacles"] = Json::array();
  scene_["time"] = {{"mode", "static"}, {"steps", 2}};
  save();
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("first")}).code, 0);
  scene_["initial"] = "first/checkpoint.h5";
  expect_one(
      "initial", "warning",
      "the initial state carries the full load (time 1 of 1), so all 2 load steps use the motions and loads of time 1");
}

TEST_F(Check, ContactDistancesThatAreTooLarge) {
  scene_["bodies"][0]["transform"]["translate"] = {0, 0.5, 0};
  scene_["contact"]["distance"] = 0.01;
  expect_one("contact distance", "warning", "contact.distance is 0.01 m, 0.058 of the diagonal of the smallest body");
  scene_["contact"]["distance"] = 0.1;
  expect_one("contact distance", "warning", "more than the mean surface edge of ");
  EXPECT_EQ(check().err, "");
}

// A cube of 0.1 m, 2 V / A = 0.033 m, thick by its mesh and not by its control points.
TEST_F(Check, ContactDistancesBesideThicknesses) {
  scene_["bodies"][0]["transform"]["translate"] = {0, 0.5, 0};
  for (const char* kinematics : {"full", "affine"}) {
    scene_["bodies"][0]["kinematics"] = kinematics;
    scene_["contact"]["distance"] = 1e-3;
    EXPECT_THAT(of_kind("contact distance"), IsEmpty()) << kinematics;
    scene_["contact"]["distance"] = 3e-3;
    expect_one("contact distance", "remark", "body 'cube' is about 0.033 m thick");
  }
}

TEST_F(Check, RotationsOfMoreThanHalfATurnInAStep) {
  Json& wall = scene_["obstacles"][1];
  wall["motion"] = {{"rotate", {{"axis", {0, 1, 0}}, {"center", {0.2, 0, 0}}, {"times", {0, 1}}}}};
  Json& rotate = wall["motion"]["rotate"];
  rotate["degrees"] = {0, 36000};
  expect_one("time step", "warning", "rotation of obstacle 'wall' turns by 360 degrees in one step at time 0");
  rotate["degrees"] = {0, 17900};
  expect_one("time step", "warning", "the prescribed motion of obstacle 'wall' covers 0.2");  // far, but no half turn
  rotate["degrees"] = {0, 1000};
  EXPECT_THAT(of_kind("time step"), IsEmpty());
  rotate["times"] = {0, 0.024, 0.025};  // ends within a step
  rotate["degrees"] = {0, 0, 200};
  expect_one("time step", "warning", "turns by 200 degrees");
}

TEST_F(Check, ContactThatIsOff) {
  scene_["contact"]["ignore"] = Json::array({Json::array({"cube", "wall"})});
  expect_one("contact off", "remark", "obstacle 'wall' can touch no body");
  scene_["contact"]["enabled"] = false;
  expect_one("contact off", "warning", "contact.enabled is false");
}

// ---- extremes

TEST_F(Check, BodiesFarFromTheOrigin) {
  scene_["obstacles"] = Json::array();
  scene_["bodies"][0]["transform"]["translate"] = {0, 0, 1e9};
  expect_one("precision", "warning", "body 'cube' of 0.173 m lies 1e+09 m from the origin");
  EXPECT_THAT(check().out, HasSubstr("rounded to 2.2e-07 m"));
  scene_["bodies"][0]["transform"]["translate"] = {0, 0, 1e5};
  EXPECT_THAT(of_kind("precision"), IsEmpty());
}

TEST_F(Check, ContactDistancesThatRoundingHides) {
  scene_["contact"]["distance"] = 1e-10;
  expect_one("contact distance", "warning", "contact.distance is 1e-10 m, 5.8e-10 of the diagonal of the scene");
  scene_["contact"]["distance"] = 1e-9;
  EXPECT_THAT(of_kind("contact distance"), IsEmpty());
  scene_["bodies"][0]["transform"] = {{"scale", 1e-6}, {"translate", {0, 0.06, 0}}};
  scene_["contact"]["distance"] = 9e-15;  // above a billionth of the diagonal
  expect_one("contact distance", "warning", "contact.distance is 9e-15 m");
}

TEST_F(Check, SpringsFarStifferThanTheBody) {
  Json spring = {{"box", {{-1, 0.1, -1}, {1, 1, 1}}}, {"to", {0, 1, 0}}, {"stiffness", 1e15}};
  scene_["bodies"][0]["springs"] = Json::array({spring});
  expect_one("spring", "warning", "a spring of 1e+15 N/m on body 'cube' is 5.8e+10 times as stiff as the body");
  scene_["bodies"][0]["springs"][0]["stiffness"] = 1e8;
  EXPECT_THAT(of_kind("spring"), IsEmpty());
}

TEST_F(Check, FrictionBeyondAllMaterials) {
  scene_["contact"]["friction"] = 1e6;
  expect_one("friction", "warning", "contact.friction is 1e+06");
  scene_["contact"]["friction"] = {{"default", 0.5}, {"pairs", {{"rubber", "wall", 50}, {"rubber", "ground", 4}}}};
  expect_one("friction", "warning", "contact.friction of 'rubber' and 'wall' is 50");
  scene_["contact"]["enabled"] = false;
  EXPECT_THAT(of_kind("friction"), IsEmpty());
}

TEST_F(Check, TolerancesThatStopTooEarly) {
  scene_["solver"]["tolerance"] = 1;
  expect_one("tolerance", "warning",
             "solver.tolerance is 1 m/s: a step may end while vertices are still 0.01 m from the solution");
  scene_["solver"]["tolerance"] = 0.015;
  EXPECT_THAT(of_kind("tolerance"), IsEmpty());
  scene_["time"] = {{"mode", "static"}, {"steps", 4}};
  scene_["bodies"][0].erase("velocity");
  expect_one("tolerance", "warning", "solver.tolerance is 0.015 m: a step may end");
}

TEST_F(Check, StaticBodiesThatNothingHolds) {
  scene_["time"] = {{"mode", "static"}, {"steps", 4}};
  scene_["bodies"][0].erase("velocity");
  expect_one("free body", "warning", "nothing constrains 6 of the 6 rigid motions of 'cube'");
}

TEST_F(Check, MemoryAboveWhatIsFree) {
  scene_["bodies"][0]["mesh"]["box"]["size"] = {0.1, 0.1, 0.1};
  const auto result = check({"--json", "-"});
  EXPECT_GT(Json::parse(result.out)["run"]["memory_bytes"].get<double>(), 1e6);
  EXPECT_GT(Json::parse(result.out)["run"]["free_memory_bytes"].get<double>(), 1e6);
}

}  // namespace
}  // namespace sinew::check_test
