// Bodies that overlap at the start: pressed apart they end where a press from outside leads, without an intersection.
#include <cmath>

#include "support/run.h"
#include <nlohmann/json.hpp>

#include "sinew/core/error.h"
#include "sinew/scene/json_file.h"
#include "sinew/scene/scene.h"
#include "sinew/sensors/sensors.h"

namespace sinew {
namespace {

// A cube of 0.1 m between a floor and a lid, which is 0.08 m above the floor: held down by it, 20 % squeezed.
nlohmann::json squeezed(const std::string& method) {
  nlohmann::json scene = nlohmann::json::parse(R"({"gravity": [0, 0, 0], "time": {"mode": "static", "steps": 6},
    "materials": {"m": {"young": 1e5, "poisson": 0.4}},
    "bodies": [{"name": "cube", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [4, 4, 4]}},
                "fix": [{"halfspace": {"point": [0, -0.05, 0], "normal": [0, -1, 0]}}]}],
    "obstacles": [{"name": "lid", "plane": {"point": [0, 0.03, 0], "normal": [0, -1, 0]}}],
    "contact": {"distance": 2e-4}, "sensors": {"lid": {"obstacle": "lid", "quantities": ["force.y"]}},
    "solver": {"tolerance": 1e-7}})");
  scene["solver"]["method"] = method;
  if (method == "quasi_newton") scene["solver"].update({{"iterations", 0}, {"max_iterations", 5000}});
  return scene;
}

std::shared_ptr<System> built(const nlohmann::json& json) {
  Scene scene = parse_scene(json, ".");
  return build_system(scene);
}

// The number of the only sensor after all steps.
double force_at_end(const nlohmann::json& json) {
  Simulation simulation(built(json));
  double last = 0;
  test::run_checked(simulation, simulation.system().setup.time.steps,
                    [&](const StepReport& report) { last = report.sensors.at(0); });
  return last;
}

TEST(Interference, EndsWhereAPressLeads) {
  nlohmann::json pressed = squeezed("newton");
  pressed["obstacles"][0]["plane"]["point"] = {0, 0.051, 0};
  pressed["obstacles"][0]["motion"] =
      nlohmann::json::parse(R"({"translate": {"times": [0, 1], "values": [[0, 0, 0], [0, -0.021, 0]]}})");
  const double right = force_at_end(pressed);
  EXPECT_LT(right, -100);
  for (const char* method : {"newton", "newton-pcg", "multilevel", "quasi_newton"}) {
    nlohmann::json scene = squeezed(method);
    for (const int over : {1, 4}) {
      scene["contact"]["interference"] = {{{"pair", {"cube", "lid"}}, {"over", over}}};
      EXPECT_NEAR(force_at_end(scene), right, 1e-6 * std::abs(right)) << method << " over " << over;
    }
  }
}

// A tube with another one inside that is 2 % too thick: neither intersects, and the forces of a cut are opposite.
TEST(Interference, TubesPressEachOther) {
  const nlohmann::json scene = nlohmann::json::parse(R"({"gravity": [0, 0, 0], "time": {"mode": "static", "steps": 3},
    "materials": {"hard": {"young": 1e6, "poisson": 0.3}, "soft": {"young": 5e5, "poisson": 0.3}},
    "bodies": [{"name": "hub", "material": "hard", "mesh": {"torus": {"radius": 0.03, "tube": 0.01, "size": 0.005}}},
               {"name": "pin", "material": "soft", "mesh": {"cylinder": {"radius": 0.021, "height": 0.03, "size": 0.005}}}],
    "contact": {"interference": [{"pair": ["pin", "hub"], "over": 2}]},
    "sensors": {"a": {"contact": ["pin", "hub"], "quantities": ["peak_pressure"]}}})");
  const auto system = built(scene);
  EXPECT_EQ(system->interferences.size(), 1u);
  EXPECT_EQ(system->interference_steps[0], 0);  // the softer one yields
  EXPECT_EQ(system->interference_steps[1], 2);
  Simulation simulation(system);
  test::run_checked(simulation, 3);
  EXPECT_GT(simulation.sensors().at(0), 0);
}

// The automatic contact distance resolves overlaps with planes and meshes alike.
TEST(Interference, SmallOverlapsWithPlanes) {
  for (const double overlap : {1e-3, 1e-5}) {
    nlohmann::json scene = squeezed("newton");
    scene["materials"]["m"]["poisson"] = 0;
    scene["contact"] = {{"interference", {{{"pair", {"cube", "lid"}}, {"over", 1}}}}};
    scene["obstacles"][0]["plane"]["point"] = {0, 0.05 - overlap, 0};
    const double right = -1e5 * 0.01 * overlap / 0.1;
    EXPECT_NEAR(force_at_end(scene), right, 0.025 * std::abs(right)) << overlap;
  }
}

// Two bars that overlap end to end, with sides in common planes: E A d / (2 l).
TEST(Interference, SidesInOnePlane) {
  for (const double overlap : {1e-3, 1e-5}) {
    nlohmann::json scene = nlohmann::json::parse(R"({"gravity": [0, 0, 0], "time": {"mode": "static", "steps": 2},
      "materials": {"m": {"young": 1e5, "poisson": 0}},
      "bodies": [
        {"name": "left", "mesh": {"box": {"size": [0.2, 0.1, 0.1], "cells": [6, 3, 3]}},
         "fix": [{"halfspace": {"point": [-0.1, 0, 0], "normal": [-1, 0, 0]}}]},
        {"name": "right", "mesh": {"box": {"size": [0.2, 0.1, 0.1], "cells": [6, 3, 3]}},
         "fix": [{"halfspace": {"point": [0.29, 0, 0], "normal": [1, 0, 0]}}]}],
      "contact": {"interference": [{"pair": ["left", "right"], "over": 2}]},
      "sensors": {"a": {"contact": ["left", "right"], "quantities": ["force.x"]}}})");
    scene["bodies"][1]["transform"]["translate"] = {0.2 - overlap, 0, 0};
    const double right = -1e5 * 0.01 * overlap / 0.4;
    EXPECT_NEAR(force_at_end(scene), right, 0.025 * std::abs(right)) << overlap;
  }
}

TEST(Interference, ErrorsSayWhy) {
  const auto error = [](const nlohmann::json& scene) {
    try {
      Simulation simulation(built(scene));
      return std::string("no error");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  nlohmann::json scene = squeezed("newton");
  EXPECT_NE(error(scene).find("intersects"), std::string::npos) << error(scene);  // not named
  scene["contact"]["interference"] = {{{"pair", {"cube", "lit"}}}};
  EXPECT_NE(error(scene).find("did you mean \"lid\""), std::string::npos) << error(scene);
  scene["contact"]["interference"] = {{{"pair", {"cube", "cube"}}}};
  EXPECT_NE(error(scene).find("twice"), std::string::npos) << error(scene);
  scene["contact"]["interference"] = {{{"pair", {"cube", "lid"}}}, {{"pair", {"lid", "cube"}}}};
  EXPECT_NE(error(scene).find("name them once"), std::string::npos) << error(scene);
  scene["contact"]["interference"] = {{{"pair", {"cube", "lid"}}, {"over", 7}}};
  EXPECT_NE(error(scene).find("over 7 steps, but the run has 6"), std::string::npos) << error(scene);
  scene["contact"]["interference"] = {{{"pair", {"cube", "lid"}}}};
  scene["contact"]["ignore"] = {{"cube", "lid"}};
  EXPECT_NE(error(scene).find("do not touch"), std::string::npos) << error(scene);
  scene["contact"].erase("ignore");
  scene["solver"]["method"] = "reduced";
  EXPECT_NE(error(scene).find("choose one of"), std::string::npos) << error(scene);
  scene["solver"]["method"] = "newton";
  scene["obstacles"][0]["plane"]["point"] = {0, -0.0499, 0};  // nothing is left for the cube
  EXPECT_NE(error(scene).find("found no start without overlap"), std::string::npos) << error(scene);
}

}  // namespace
}  // namespace sinew
