// Preload of bolts: the tension follows from the shortening as if the bar had been made shorter, forces are kept until
// they are locked, and neither adds momentum.
#include <cmath>

#include "support/run.h"
#include <nlohmann/json.hpp>

#include "sinew/core/error.h"
#include "sinew/scene/scene.h"

namespace sinew {
namespace {

constexpr double bar_length = 0.1, bar_area = 1e-4;  // [m], [m^2]

// A bar between two walls along which its ends slide.
nlohmann::json bar_between_walls(const std::string& elements, const std::string& method) {
  nlohmann::json scene = nlohmann::json::parse(R"({"gravity": [0, 0, 0], "time": {"mode": "static", "steps": 2},
    "materials": {"m": {"young": 1e6, "poisson": 0.3}},
    "bodies": [{"name": "bar", "mesh": {"box": {"size": [0.1, 0.01, 0.01], "cells": [10, 2, 2]}},
                "transform": {"translate": [0.05, 0.005, 0.005]}, "symmetry": ["y", "z"],
                "fix": [{"halfspace": {"point": [0, 0, 0], "normal": [-1, 0, 0]}, "axes": "x"},
                        {"halfspace": {"point": [0.1, 0, 0], "normal": [1, 0, 0]}, "axes": "x"}]}],
    "contact": {"enabled": false},
    "sensors": {"wall": {"fix": {"body": "bar", "entry": 0}, "quantities": ["force.x"]}},
    "solver": {"tolerance": 1e-10}})");
  scene["bodies"][0]["elements"] = elements;
  scene["solver"]["method"] = method;
  if (method == "quasi_newton") scene["solver"].update({{"iterations", 0}, {"max_iterations", 5000}});
  return scene;
}

nlohmann::json with_bolt(nlohmann::json scene, nlohmann::json bolt) {
  bolt.update({{"point", {0.043, 0, 0}}, {"axis", {2, 0, 0}}});
  scene["bodies"][0]["bolts"] = {bolt};
  scene["sensors"]["bolt"] = {{"bolt", "bar"}};
  return scene;
}

// The sensors' numbers after all steps: of the bolt axial force, shear force and shortening, then the wall's force.
std::vector<double> numbers_at_end(const nlohmann::json& json) {
  Scene scene = parse_scene(json, ".");
  Simulation simulation(build_system(scene));
  std::vector<double> last;
  test::run_checked(simulation, simulation.system().setup.time.steps,
                    [&](const StepReport& report) { last = report.sensors; });
  return last;
}

// A bar shorter by s that is pulled to its old length has the stretch L / (L - s), whatever tets the plane cuts.
TEST(Bolt, ShorteningPullsLikeAShorterBar) {
  constexpr double shortening = 0.004;  // 0.4 of a tet's height
  for (const char* elements : {"linear", "linear_mixed", "quadratic", "quadratic_mixed"}) {
    nlohmann::json pulled = bar_between_walls(elements, "newton");
    const double stretch = bar_length / (bar_length - shortening);
    pulled["bodies"][0]["fix"][1]["motion"] = {
        {"translate", {{"times", {0, 1}}, {"values", {{0, 0, 0}, {bar_length * (stretch - 1), 0, 0}}}}}};
    const double force = -numbers_at_end(pulled).at(0);
    EXPECT_GT(force, 0.9 * 1e6 * bar_area * (stretch - 1));
    for (const char* method : {"newton", "newton-pcg", "newton-multilevel", "multilevel", "quasi_newton"}) {
      const std::vector<double> numbers =
          numbers_at_end(with_bolt(bar_between_walls(elements, method), {{"shortening", shortening}}));
      EXPECT_NEAR(numbers.at(0), force, 1e-6 * force) << elements << ", " << method;
      EXPECT_NEAR(numbers.at(1), 0, 1e-6 * force) << elements << ", " << method;
      EXPECT_EQ(numbers.at(2), shortening);
      EXPECT_NEAR(-numbers.at(3), force, 1e-6 * force) << elements << ", " << method;
    }
  }
}

TEST(Bolt, KeepsAForceUntilItIsLocked) {
  constexpr double force = 0.5;
  for (const char* elements : {"linear", "quadratic"}) {
    for (const char* method : {"newton", "multilevel"}) {
      nlohmann::json scene = with_bolt(bar_between_walls(elements, method), {{"force", force}, {"locked_after", 0.5}});
      scene["solver"]["force_tolerance"] = 1e-6;
      const std::vector<double> tight = numbers_at_end(scene);
      EXPECT_NEAR(tight.at(0), force, 1e-6 * force) << elements << ", " << method;
      // The walls move apart by 1 % after the lock: the bar is longer by that and by the shortening.
      scene["bodies"][0]["fix"][1]["motion"] = {
          {"translate", {{"times", {0.5, 1}}, {"values", {{0, 0, 0}, {0.01 * bar_length, 0, 0}}}}}};
      const std::vector<double> apart = numbers_at_end(scene);
      EXPECT_EQ(apart.at(2), tight.at(2)) << "the shortening is locked";
      EXPECT_NEAR(apart.at(0) - force, 0.01 * 1e6 * bar_area, 0.05 * 0.01 * 1e6 * bar_area);
      EXPECT_NEAR(-apart.at(3), apart.at(0), 1e-6 * force);
      // A bolt that is not locked gives way.
      scene["bodies"][0]["bolts"][0].erase("locked_after");
      EXPECT_NEAR(numbers_at_end(scene).at(0), force, 1e-6 * force);
    }
  }
}

// The step in which the lock falls ends with the whole force, and later ones keep the shortening.
TEST(Bolt, IsLockedWithItsWholeForce) {
  for (const double locked : {0.2, 0.3, 0.5, 0.7}) {
    nlohmann::json scene = with_bolt(bar_between_walls("linear", "newton"), {{"force", 0.5}, {"locked_after", locked}});
    scene["time"]["steps"] = 5;
    EXPECT_NEAR(numbers_at_end(scene).at(0), 0.5, 0.5e-3) << locked;
  }
}

// Two bolts of a flange that first close a gap: neither pulls before, and both reach their forces.
TEST(Bolt, ClosesAGapFirst) {
  for (const double gap : {1e-5, 2e-4, 1e-3}) {
    // Two rods between a wall and a plate that can move along x; the plate meets a stop after the gap.
    nlohmann::json scene = nlohmann::json::parse(R"({"gravity": [0, 0, 0], "time": {"mode": "static", "steps": 2},
      "materials": {"m": {"young": 1e6, "poisson": 0.3}},
      "bodies": [
        {"name": "left", "mesh": {"box": {"size": [0.1, 0.01, 0.01], "cells": [10, 2, 2]}},
         "transform": {"translate": [0.05, 0, -0.02]}, "fix": [{"halfspace": {"point": [0, 0, 0], "normal": [-1, 0, 0]}}],
         "bolts": [{"point": [0.043, 0, 0], "axis": [1, 0, 0], "force": 0.5}]},
        {"name": "right", "mesh": {"box": {"size": [0.1, 0.01, 0.01], "cells": [10, 2, 2]}},
         "transform": {"translate": [0.05, 0, 0.02]}, "fix": [{"halfspace": {"point": [0, 0, 0], "normal": [-1, 0, 0]}}],
         "bolts": [{"point": [0.043, 0, 0], "axis": [1, 0, 0], "force": 0.3}]},
        {"name": "plate", "mesh": {"box": {"size": [0.01, 0.02, 0.06], "cells": [1, 2, 6]}},
         "transform": {"translate": [0.105, 0, 0]}, "fix": [{"all": true, "axes": "yz"}]}],
      "ties": [
        {"body": "left", "halfspace": {"point": [0.0999, 0, 0], "normal": [1, 0, 0]},
         "to": {"body": "plate", "halfspace": {"point": [0.1001, 0, 0], "normal": [-1, 0, 0]}}},
        {"body": "right", "halfspace": {"point": [0.0999, 0, 0], "normal": [1, 0, 0]},
         "to": {"body": "plate", "halfspace": {"point": [0.1001, 0, 0], "normal": [-1, 0, 0]}}}],
      "obstacles": [{"name": "stop", "mesh": {"box": {"size": [0.01, 0.05, 0.01], "cells": [1, 1, 1]}}}],
      "contact": {"ignore": [["left", "stop"], ["right", "stop"]]},
      "sensors": {"a": {"bolt": "left"}, "b": {"bolt": "right"},
                  "stop": {"obstacle": "stop", "quantities": ["force.x"]}}})");
    scene["obstacles"][0]["transform"]["translate"] = {0.095 - gap, 0, 0};
    scene["contact"]["distance"] = gap / 20;
    const std::vector<double> numbers = numbers_at_end(scene);
    EXPECT_NEAR(numbers.at(0), 0.5, 1e-3) << gap;
    EXPECT_NEAR(numbers.at(3), 0.3, 1e-3) << gap;
    EXPECT_NEAR(numbers.at(6), 0.8, 2e-3) << gap;
    EXPECT_GT(numbers.at(2), 0.9 * gap) << gap;
  }
}

// Two bolts behind each other share the force; the second one is locked from the start by a shortening of zero.
TEST(Bolt, TwoOfOneBody) {
  nlohmann::json scene = with_bolt(bar_between_walls("linear", "newton"), {{"force", 0.3}});
  scene["bodies"][0]["bolts"].push_back({{"point", {0.07, 0, 0}}, {"axis", {1, 0, 0}}, {"shortening", 0.001}});
  scene["sensors"] = {{"a", {{"bolt", {{"body", "bar"}, {"entry", 0}}}}},
                      {"b", {{"bolt", {{"body", "bar"}, {"entry", 1}}}}}};
  const std::vector<double> numbers = numbers_at_end(scene);
  EXPECT_NEAR(numbers.at(0), 0.3, 0.3e-3);
  EXPECT_NEAR(numbers.at(3), numbers.at(0), 1e-6);
  EXPECT_LT(numbers.at(2), 0.003);  // the first one has to shorten the bar by less
}

TEST(Bolt, AddsNoMomentumAndResumes) {
  nlohmann::json scene = with_bolt(bar_between_walls("linear", "newton"), {{"shortening", 0.004}});
  scene["time"] = {{"step", 0.001}, {"steps", 20}};
  scene["bodies"][0].erase("fix");
  scene["bodies"][0].erase("symmetry");
  scene["sensors"] = {{"bar", {{"body", "bar"}, {"quantities", {"momentum", "angular_momentum", "mass"}}}}};
  scene["solver"] = {{"tolerance", 1e-9}};
  const std::vector<double> numbers = numbers_at_end(scene);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(numbers.at(k), 0, numbers.at(6) * 1e-7) << k;
}

// A viscous bar that a bolt shortens in the first step is as stiff as one whose end is pulled.
TEST(Bolt, ShortensViscousBarsFromTheFirstStepOn) {
  nlohmann::json bolted = bar_between_walls("linear", "newton"), pulled = bolted;
  constexpr double shortening = 1e-4;
  for (nlohmann::json* scene : {&bolted, &pulled}) {
    (*scene)["time"] = {{"step", 0.01}, {"steps", 2}};
    (*scene)["materials"]["m"]["density"] = 1e-3;
    (*scene)["materials"]["m"]["viscosity"] = {{{"time", 0.1}, {"modulus", 1}}};
  }
  bolted = with_bolt(bolted, {{"shortening", shortening}});
  pulled["bodies"][0]["fix"][1]["motion"] = {
      {"translate", {{"times", {0, 0.01}}, {"values", {{0, 0, 0}, {shortening, 0, 0}}}}}};
  const double right = -numbers_at_end(pulled).at(0);
  EXPECT_GT(right, 1.7 * 1e6 * bar_area * shortening / bar_length);
  EXPECT_NEAR(numbers_at_end(bolted).at(0), right, 0.01 * right);
}

TEST(Bolt, ErrorsSayWhy) {
  const auto error = [](const nlohmann::json& json) {
    try {
      Scene scene = parse_scene(json, ".");
      Simulation simulation(build_system(scene));
      return std::string("no error");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
  };
  const nlohmann::json bar = bar_between_walls("linear", "newton");
  EXPECT_NE(error(with_bolt(bar, {{"shortening", 0.02}})).find("is not between"), std::string::npos);
  nlohmann::json missed = with_bolt(bar, {{"force", 1}});
  missed["bodies"][0]["bolts"][0]["point"] = {1, 0, 0};
  EXPECT_NE(error(missed).find("does not cut the body"), std::string::npos);
  nlohmann::json twice = with_bolt(bar, {{"force", 1}});
  twice["bodies"][0]["bolts"].push_back(twice["bodies"][0]["bolts"][0]);
  EXPECT_NE(error(twice).find("name one"), std::string::npos);
  twice["sensors"].erase("bolt");
  EXPECT_NE(error(twice).find("cuts a tet that bolt 'bolt0'"), std::string::npos);
  nlohmann::json reduced = with_bolt(bar, {{"force", 1}});
  reduced["solver"]["method"] = "reduced";
  EXPECT_NE(error(reduced).find("does not take the bolts"), std::string::npos);
  nlohmann::json both = with_bolt(bar, {{"force", 1}, {"shortening", 0.001}});
  EXPECT_NE(error(both).find("bolts[0]"), std::string::npos);
}

// Nothing keeps the bar long: its force stays zero, and the step fails and says so.
TEST(Bolt, LooseOneFails) {
  nlohmann::json scene = with_bolt(bar_between_walls("linear", "newton"), {{"force", 1}});
  scene["bodies"][0]["fix"].erase(1);
  scene["time"].update({{"substeps", 0}});
  Scene parsed = parse_scene(scene, ".");
  Simulation simulation(build_system(parsed));
  const StepReport report = simulation.step();
  EXPECT_FALSE(report.converged);
  EXPECT_NE(report.reason.find("does not reach its force"), std::string::npos) << report.reason;
}

}  // namespace
}  // namespace sinew
