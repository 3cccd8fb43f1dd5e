// Bodies, cloth and obstacles with a thickness for contact: heights at rest, pressures and friction, in every method.
#include <cmath>
#include <cstring>

#include "support/bodies.h"
#include "support/run.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/contact/layer_overlap.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/methods.h"
#include "sinew/io/checkpoint.h"
#include "sinew/io/report_rows.h"
#include "sinew/scene/json_file.h"
#include "sinew/scene/scene.h"

namespace sinew::thickness_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double g = 9.81;

// A step after which no surfaces overlap.
StepReport thick_step(Simulation& simulation) {
  const StepReport report = test::checked_step(simulation);
  const State& state = simulation.state();
  EXPECT_TRUE(find_layer_overlaps(simulation.system().collision, state.x, state.planes).empty());
  return report;
}

BodySetup sheet_of_cloth(const char* name, double height, std::array<Index, 2> cells = {6, 6}) {
  return test::cloth(name, make_sheet({0.3, 0.3}, cells), test::springs(1e5, 500, 4e-3, 0.02), Vec3(0, height, 0));
}

sinew::Setup cloth_scene() {
  sinew::Setup setup;
  setup.gravity = Vec3(0, -g, 0);
  setup.contact.distance = 1e-3;
  setup.solver.method = "newton";
  setup.solver.tolerance = 1e-4;
  setup.obstacles = {test::floor_plane()};
  return setup;
}

double mean_height(const Simulation& simulation, Index body) {
  return test::center_of_mass(simulation, body).y();
}

// A cloth rests half its thickness above what it lies on: a plane, an open surface or a block.
TEST(Thickness, ClothLiesHalfItsThicknessAboveTheFloor) {
  for (const double thickness : {0.0, 4e-3, 2e-2}) {
    sinew::Setup setup = cloth_scene();
    setup.contact.thickness["cloth"] = thickness;
    setup.bodies = {sheet_of_cloth("cloth", thickness / 2 + 1.5e-3)};
    Simulation simulation(build_system(std::move(setup)));
    for (int k = 0; k < 40; ++k) thick_step(simulation);
    const double height = mean_height(simulation, 0);
    EXPECT_GT(height, thickness / 2) << thickness;
    EXPECT_LT(height, thickness / 2 + 1e-3) << thickness;
  }
}

TEST(Thickness, StackedClothsAreOneThicknessApart) {
  const double thickness = 6e-3;
  sinew::Setup setup = cloth_scene();
  setup.bodies = {sheet_of_cloth("low", thickness / 2 + 1e-3), sheet_of_cloth("top", 1.5 * thickness + 2.5e-3, {7, 5})};
  setup.contact.thickness = {{"low", thickness}, {"top", thickness}};
  Simulation simulation(build_system(std::move(setup)));
  for (int k = 0; k < 60; ++k) thick_step(simulation);
  const double apart = mean_height(simulation, 1) - mean_height(simulation, 0);
  EXPECT_GT(apart, thickness);
  EXPECT_LT(apart, thickness + 1e-3);
}

// A strip that is dropped edge on folds with at least its thickness between its layers.
TEST(Thickness, FoldsKeepTheThickness) {
  const double thickness = 8e-3;
  sinew::Setup setup = cloth_scene();
  setup.solver.tolerance = 1e-3;
  setup.bodies = {test::cloth("strip", make_sheet({0.05, 0.4}, {2, 20}, Axis::z), test::springs(1e5, 500, 4e-3, 0.01))};
  for (Index v = 0; v < setup.bodies[0].mesh.vertex_count(); ++v)
    setup.bodies[0].mesh.vertices(2, v) += 0.01 * std::sin(20 * setup.bodies[0].mesh.vertices(1, v));
  setup.bodies[0].mesh.vertices.row(1).array() += 0.206;
  setup.contact.thickness["strip"] = thickness;
  Simulation simulation(build_system(std::move(setup)));
  long most = 0;
  for (int k = 0; k < 45; ++k) most = std::max(most, thick_step(simulation).contacts);
  EXPECT_GT(most, 30);
}

nlohmann::json stack_scene() {
  return nlohmann::json::parse(R"({"time": {"mode": "static", "steps": 2}, "gravity": [0, -10, 0],
    "materials": {"m": {"young": 1e6, "poisson": 0.3}},
    "bodies": [{"name": "low", "mesh": {"box": {"size": [0.2, 0.1, 0.2], "cells": [4, 2, 4]}},
                "transform": {"translate": [0, 0.0504, 0]}},
               {"name": "top", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}},
                "transform": {"translate": [0, 0.1508, 0]}}],
    "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0]}}],
    "contact": {"distance": 5e-4, "friction": 0.5, "stiffness": 1e5},
    "solver": {"method": "newton", "tolerance": 1e-10, "force_tolerance": 1e-8},
    "sensors": {
      "up": {"contact": ["top", "low"], "quantities": ["normal_force", "area", "mean_pressure", "peak_pressure", "gap"]},
      "low": {"contact": ["low", "floor"], "quantities": ["force.y", "gap"]}}})");
}

// Coated blocks on a coated floor: gaps, forces and pressures of the sensors are those without the coatings.
TEST(Thickness, CoatedBlocksPressAsBareOnes) {
  const auto at_rest = [](nlohmann::json scene) {
    Scene read = parse_scene(scene, ".");
    const auto system = build_system(read);
    Simulation simulation(system);
    for (int k = 0; k < 2; ++k) {
      const StepReport report = thick_step(simulation);
      if (k == 1) return std::pair(sensor_json(system->sensors, report.sensors), report.min_distance);
    }
    return std::pair(Json(), 0.0);
  };
  for (const char* model : {"barrier", "convergent"}) {
    nlohmann::json bare = stack_scene();
    bare["contact"]["model"] = model;
    nlohmann::json coated = bare;
    // 2 + 1 mm on floor and low block, 1 + 0.5 mm between the blocks.
    coated["contact"]["thickness"] = {{"floor", 2e-3}, {"low", 1e-3}, {"top", 5e-4}};
    coated["bodies"][0]["transform"]["translate"][1] = 0.0504 + 3e-3;
    coated["bodies"][1]["transform"]["translate"][1] = 0.1508 + 4.5e-3;
    const auto [a, gap_a] = at_rest(bare);
    const auto [b, gap_b] = at_rest(coated);
    for (const char* quantity : {"area", "mean_pressure", "peak_pressure", "gap"}) {
      const double expected = a["up"][quantity];
      EXPECT_NEAR(b["up"][quantity].get<double>(), expected, 2e-3 * expected) << model << ' ' << quantity;
    }
    EXPECT_NEAR(b["low"]["gap"].get<double>(), a["low"]["gap"].get<double>(), 1e-6) << model;
    EXPECT_NEAR(b["low"]["force.y"].get<double>(), a["low"]["force.y"].get<double>(), 1e-4) << model;
    EXPECT_NEAR(gap_a, gap_b, 1e-6) << model;
    EXPECT_GT(gap_b, 0);
    EXPECT_LT(gap_b, 5e-4);
  }
}

// A block slides down a slope with g (sin a - mu cos a) for any thickness, on a plane and on an open surface.
TEST(Thickness, SlidersAccelerateAsCoulombSays) {
  const double mu = 0.3, slope = std::atan(0.5), h = 0.005;
  const Mat3 turn = Eigen::AngleAxisd(-slope, Vec3::UnitZ()).toRotationMatrix();
  const Vec3 down = turn * Vec3::UnitX();
  for (const bool plane : {true, false}) {
    for (const double thickness : {0.0, 0.02}) {
      sinew::Setup setup;
      setup.gravity = Vec3(0, -g, 0);
      setup.contact.friction = mu;
      setup.contact.distance = 1e-3;
      setup.contact.stiffness = 1e6;
      setup.contact.slip_speed = 1e-3;
      setup.solver.method = "newton";
      setup.solver.tolerance = 1e-6;
      setup.time.step = h;
      TetMesh mesh = make_box(Vec3::Constant(0.1), {1, 1, 1});
      mesh.vertices.row(1).array() += 0.05 + 0.95e-3 + 1.5 * thickness;
      mesh.vertices = (turn * mesh.vertices).eval();
      setup.bodies.push_back(test::body("block", mesh, test::material("stable_neo_hookean", 1e7, 0.3)));
      ObstacleSetup incline;
      incline.name = "incline";
      if (plane) {
        incline.plane = PlaneSetup{Vec3::Zero(), turn * Vec3::UnitY()};
      } else {
        incline.mesh = make_sheet({4, 1}, {1, 1});
        incline.mesh->vertices = (turn * incline.mesh->vertices).eval();
      }
      setup.obstacles.push_back(incline);
      // The block's layer and half of the sheet, or half of that for the plane.
      setup.contact.thickness = {{"block", thickness}, {"incline", plane ? thickness / 2 : thickness}};
      Simulation simulation(build_system(std::move(setup)));
      const auto speed = [&] { return test::linear_momentum(simulation).dot(down); };
      for (int k = 0; k < 40; ++k) thick_step(simulation);
      const double before = speed();
      for (int k = 0; k < 40; ++k) thick_step(simulation);
      const double acceleration = (speed() - before) / (40 * h);  // of 1 kg
      const double expected = g * (std::sin(slope) - mu * std::cos(slope));
      EXPECT_NEAR(acceleration, expected, 0.01 * expected) << plane << ' ' << thickness;
    }
  }
}

sinew::Setup drop_scene(const std::string& method) {
  sinew::Setup setup;
  setup.gravity = Vec3(0, -g, 0);
  setup.solver.method = method;
  setup.solver.tolerance = 1e-5;
  setup.solver.handles = 8;
  setup.solver.iterations = 0;
  setup.solver.max_iterations = 3000;
  setup.solver.multilevel.cache = false;
  setup.contact.distance = 2e-3;
  setup.contact.stiffness = 1e5;
  setup.contact.friction = 0.3;
  setup.bodies.push_back(test::body("block", make_box({0.2, 0.1, 0.2}, {3, 2, 3}),
                                    test::material("neo_hookean", 1e6, 0.3), Vec3(0, 0.05 + 0.021, 0)));
  setup.obstacles = {test::floor_plane()};
  setup.contact.thickness = {{"block", 0.012}, {"floor", 0.008}};
  return setup;
}

// All methods bring a coated block to rest where newton does.
TEST(Thickness, EveryMethodRestsWhereNewtonDoes) {
  const auto rest = [](const std::string& method) {
    Simulation simulation(build_system(drop_scene(method)));
    StepReport report;
    for (int k = 0; k < 25; ++k) report = simulation.step();
    const State& state = simulation.state();
    EXPECT_TRUE(find_layer_overlaps(simulation.system().collision, state.x, state.planes).empty()) << method;
    EXPECT_GT(report.min_distance, 0) << method;
    EXPECT_LT(report.min_distance, 2e-3) << method;
    return mean_height(simulation, 0);
  };
  const double newton = rest("newton");
  EXPECT_GT(newton, 0.05 + 0.02 - 1e-4);  // the block is compressed by its weight
  EXPECT_LT(newton, 0.05 + 0.022);
  for (const std::string& method : method_names()) {
    if (method == "auto" || method == "newton") continue;
    EXPECT_NEAR(rest(method), newton, 3e-4) << method;
  }
  // Penalties let surfaces overlap a little, at the height of the layers all the same.
  sinew::Setup setup = drop_scene("newton");
  setup.contact.model = ContactKind::penalty;
  setup.contact.stiffness = 1e7;
  Simulation penalty(build_system(std::move(setup)));
  for (int k = 0; k < 25; ++k) penalty.step();
  EXPECT_NEAR(mean_height(penalty, 0), newton, 1e-3);
}

TEST(Thickness, ThreadsDoNotChangeBits) {
  const auto run = [](int threads) {
    const ThreadLimit limit(threads);
    sinew::Setup setup = cloth_scene();
    setup.contact.friction = 0.3;
    setup.bodies = {sheet_of_cloth("low", 5e-3, {10, 10}), sheet_of_cloth("top", 13e-3, {11, 11})};
    setup.contact.thickness = {{"low", 6e-3}, {"top", 6e-3}};
    Simulation simulation(build_system(std::move(setup)));
    for (int k = 0; k < 6; ++k) simulation.step();
    return simulation.state().x;
  };
  const Points one = run(1), two = run(2);
  EXPECT_EQ(std::memcmp(one.data(), two.data(), sizeof(double) * static_cast<std::size_t>(one.size())), 0);
}

// A thickness of zero is none, bit by bit, and another thickness is another scene for checkpoints.
TEST(Thickness, ZeroIsNone) {
  const auto run = [](bool named) {
    sinew::Setup setup = drop_scene("newton");
    setup.contact.thickness.clear();
    if (named) setup.contact.thickness = {{"block", 0.0}, {"floor", 0.0}};
    setup.bodies[0].mesh.vertices.row(1).array() -= 0.02;
    Simulation simulation(build_system(std::move(setup)));
    for (int k = 0; k < 8; ++k) simulation.step();
    return std::pair(simulation.state().x, system_hash(simulation.system()));
  };
  const auto none = run(false), zero = run(true);
  EXPECT_EQ(
      std::memcmp(none.first.data(), zero.first.data(), sizeof(double) * static_cast<std::size_t>(none.first.size())),
      0);
  EXPECT_EQ(none.second, zero.second);
  const auto hash = [](double thickness) {
    sinew::Setup setup = drop_scene("newton");
    setup.contact.thickness["block"] = thickness;
    return system_hash(*build_system(std::move(setup)));
  };
  EXPECT_NE(hash(0.01), hash(0.011));
}

// Starts that the thickness does not allow are refused with what to do.
TEST(Thickness, RefusesStartsThatAreTooClose) {
  sinew::Setup setup = drop_scene("newton");
  setup.contact.self = false;
  setup.contact.thickness["block"] = 0.02;
  EXPECT_THAT([&] { Simulation simulation(build_system(setup)); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("contact.thickness"), HasSubstr("body 'block'"),
                                              HasSubstr("0.021 m from the plane of obstacle 'floor'"),
                                              HasSubstr("touch at 0.028 m"), HasSubstr("by more than 0.007 m"))));
  setup = cloth_scene();
  setup.bodies = {sheet_of_cloth("low", 0.1), sheet_of_cloth("top", 0.108)};
  setup.contact.thickness = {{"low", 0.01}, {"top", 0.01}};
  EXPECT_THAT([&] { Simulation simulation(build_system(setup)); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("body 'low'"), HasSubstr("body 'top'"), HasSubstr("0.008 m"),
                                              HasSubstr("touch at 0.01 m"))));
  // A mesh that is finer than the thickness.
  setup.bodies = {sheet_of_cloth("cloth", 0.1, {30, 30})};
  setup.contact.thickness = {{"cloth", 0.015}};
  EXPECT_THAT([&] { Simulation simulation(build_system(setup)); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("body 'cloth'"), HasSubstr("share no vertex"),
                                              HasSubstr("coarser mesh"), HasSubstr("contact.self false"),
                                              HasSubstr("[[\"cloth\", \"cloth\"]]"))));
  setup.contact.self = false;
  EXPECT_NO_THROW(Simulation simulation(build_system(setup)));
  setup.contact.self = true;
  setup.contact.ignore = {{"cloth", "cloth"}};
  EXPECT_NO_THROW(Simulation simulation(build_system(setup)));
  setup.contact.ignore.clear();
  setup.contact.thickness = {{"cloths", 1e-3}};
  EXPECT_THAT([&] { build_system(setup); }, ThrowsMessage<InputError>(HasSubstr("contact.thickness: \"cloths\"")));
  for (const double wrong : {-1e-3, std::nan(""), std::numeric_limits<double>::infinity()}) {
    setup.contact.thickness = {{"cloth", wrong}};
    EXPECT_THAT([&] { build_system(setup); }, ThrowsMessage<InputError>(HasSubstr("contact.thickness.cloth: found")));
  }
  setup.contact.thickness = {{"cloth", 1e-3}};
  setup.contact.interferences = {{"cloth", "floor", 1}};
  EXPECT_THAT([&] { build_system(setup); },
              ThrowsMessage<InputError>(HasSubstr("contact.interference: \"cloth\" has a contact.thickness")));
}

}  // namespace
}  // namespace sinew::thickness_test
