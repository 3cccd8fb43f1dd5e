// Bodies with skeletons against closed forms, and what is refused.
#include <cmath>

#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/scene/scene.h"

namespace sinew::skeleton_test {
namespace {

using testing::HasSubstr;

// A bar of length 1 along x, attached to its bone at the left end.
nlohmann::json bar_scene() {
  return nlohmann::json::parse(R"({
    "gravity": [0, 0, 0], "time": {"step": 0.01, "steps": 200, "integrator": "bdf2"},
    "materials": {"rubber": {"model": "stvk", "young": 1e6, "poisson": 0, "density": 1000}},
    "bodies": [{"name": "bar", "mesh": {"box": {"size": [1, 0.1, 0.1], "cells": [20, 2, 2]}}, "material": "rubber",
                "transform": {"translate": [0.5, 0, 0]}, "damping": {"mass": 20},
                "fix": [{"halfspace": {"point": [0.001, 0, 0], "normal": [-1, 0, 0]}}],
                "skeleton": {"bones": [{"from": [0, 0, 0], "to": [1, 0, 0], "motion": {}}]}}],
    "contact": {"enabled": false},
    "solver": {"method": "reduced", "subspace": "inertia", "handles": 18, "warping": true}})");
}

std::unique_ptr<Simulation> simulate(const nlohmann::json& json, int steps) {
  Scene scene = parse_scene(json, ".");
  auto simulation = std::make_unique<Simulation>(build_system(std::move(scene.setup)));
  for (int n = 0; n < steps; ++n) EXPECT_TRUE(simulation->step().converged);
  return simulation;
}

// Mean elongation of the free end along the bone, in the frame of the bone at `angle` about z.
double elongation(const Simulation& simulation, double angle) {
  const System& system = simulation.system();
  double sum = 0;
  int count = 0;
  for (Index v = 0; v < system.dynamic_count; ++v) {
    if (system.rest(0, v) < 0.999) continue;
    const Vec3 local = Eigen::AngleAxisd(-angle, Vec3::UnitZ()) * Vec3(simulation.state().x.col(v));
    sum += local.x() - system.rest(0, v);
    ++count;
  }
  return sum / count;
}

// A bar that spins about its end is stretched by rho omega^2 L^3 / (3 E).
TEST(Skeleton, ASpinningBarIsStretchedByItsInertia) {
  nlohmann::json json = bar_scene();
  const double omega = 4;
  json["bodies"][0]["skeleton"]["bones"][0]["motion"]["rotate"] = {
      {"axis", "z"}, {"times", {-1, 9}}, {"degrees", {-omega * 180 / M_PI, 9 * omega * 180 / M_PI}}};
  const auto simulation = simulate(json, 200);
  const double expected = 1000 * omega * omega / (3 * 1e6);
  // Linear tets with a constant strain each: the error of the mesh is (1/20)^2.
  EXPECT_NEAR(elongation(*simulation, omega * 2.0), expected, 0.01 * expected);
}

// Held upright it is compressed by its weight, rho g L^2 / (2 E); the weight turns with the bone.
TEST(Skeleton, WeightActsInTheFrameOfTheBone) {
  nlohmann::json json = bar_scene();
  json["gravity"] = {0, -9.81, 0};
  json["bodies"][0]["skeleton"]["bones"][0]["motion"]["poses"] = {
      {"times", {0}}, {"quaternions", {{std::sqrt(0.5), 0, 0, std::sqrt(0.5)}}}};
  const auto simulation = simulate(json, 200);
  const double expected = -1000 * 9.81 / (2 * 1e6);
  EXPECT_NEAR(elongation(*simulation, M_PI / 2), expected, 0.01 * std::abs(expected));
}

// Two bones: at their own ends each moves the body as its motion says.
TEST(Skeleton, BonesPoseTheBody) {
  nlohmann::json json = bar_scene();
  json["bodies"][0]["skeleton"]["bones"] = {{{"from", {0, 0, 0}}, {"to", {0.4, 0, 0}}},
                                            {{"from", {0.6, 0, 0}},
                                             {"to", {1, 0, 0}},
                                             {"motion", {{"translate", {{"times", {0}}, {"values", {{0, 0.3, 0}}}}}}}}};
  const auto simulation = simulate(json, 1);
  const System& system = simulation->system();
  for (Index v = 0; v < system.dynamic_count; ++v) {
    const double rest = system.rest(0, v), y = simulation->state().x(1, v) - system.rest(1, v);
    EXPECT_GE(y, -1e-9);
    EXPECT_LE(y, 0.3 + 1e-9);
    if (rest < 0.1) EXPECT_LT(y, 0.01);
    if (rest > 0.9) EXPECT_GT(y, 0.29);
  }
}

TEST(Skeleton, AStateIsTheSameInItsCoordinates) {
  nlohmann::json json = bar_scene();
  json["bodies"][0]["skeleton"]["bones"][0]["motion"]["rotate"] = {
      {"axis", "z"}, {"times", {0, 1}}, {"degrees", {0, 200}}};
  Scene scene = parse_scene(json, ".");
  auto system = build_system(std::move(scene.setup));
  Simulation simulation(system);
  for (int n = 0; n < 20; ++n) simulation.step();
  const State state = simulation.state();
  const Index n = system->body_vertex_count();
  const Simulation other(system, InitialMotion{state.x.leftCols(n), state.v.leftCols(n), state.time, false});
  EXPECT_LT((other.state().x - state.x).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((other.state().v - state.v).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Skeleton, OtherSetupsAreRefused) {
  const auto error_of = [](const char* path, const nlohmann::json& value) -> std::string {
    nlohmann::json json = bar_scene();
    json[nlohmann::json::json_pointer(path)] = value;
    try {
      simulate(json, 0);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(error_of("/solver/method", "newton"),
              HasSubstr("body 'bar' has a skeleton, which solver.method \"newton\" does"));
  EXPECT_THAT(error_of("/solver/method", "mixed"), HasSubstr("use \"reduced\" with a subspace of dense modes"));
  EXPECT_THAT(error_of("/solver/warping", false), HasSubstr("solver.warping false does not support; set it to true"));
  EXPECT_THAT(error_of("/contact/enabled", true), HasSubstr("set contact.enabled to false"));
  EXPECT_THAT(error_of("/bodies/0/kinematics", "affine"), HasSubstr("an affine body, which does not bend"));
  EXPECT_THAT(
      error_of("/bodies/0/springs", {{{"box", {{0.9, -1, -1}, {2, 1, 1}}}, {"to", {1, 0, 0}}, {"stiffness", 1}}}),
      HasSubstr("springs does not support; remove them"));
  EXPECT_THAT(error_of("/bodies/0/skeleton/weights", "none.npy"), HasSubstr("none.npy"));
  const nlohmann::json poses = {{"times", {0, 1}}, {"quaternions", {{1, 0, 0, 0}}}};
  EXPECT_THAT(error_of("/bodies/0/skeleton/bones/0/motion", {{"poses", poses}}),
              HasSubstr("found 2 times and 1 quaternions, expected as many of both"));
  const nlohmann::json scaled = {{"times", {0}}, {"matrices", {{2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}}};
  EXPECT_THAT(error_of("/bodies/0/skeleton/bones/0/motion", {{"poses", scaled}}),
              HasSubstr("a matrix that is no rotation"));
}

}  // namespace
}  // namespace sinew::skeleton_test
