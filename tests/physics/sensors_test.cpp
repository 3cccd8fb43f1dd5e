// Sensors against closed forms and balance: forces of fixes, loads, springs, ties and contacts, in every method.
#include <cmath>

#include "support/folder.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/io/report_rows.h"
#include "sinew/scene/json_file.h"
#include "sinew/scene/scene.h"

namespace sinew {
namespace {

nlohmann::json parsed(const std::string& text) {
  return nlohmann::json::parse(text);
}

// A simulation whose system stays with it.
struct Measured {
  std::shared_ptr<System> system;
  std::unique_ptr<Simulation> simulation;

  explicit Measured(const nlohmann::json& json) {
    Scene scene = parse_scene(json, ".");
    system = build_system(scene);
    simulation = std::make_unique<Simulation>(system);
  }
  // The sensors after a step.
  Json step() {
    const StepReport report = simulation->step();
    EXPECT_TRUE(report.converged || report.budget) << report.reason;
    return sensor_json(system->sensors, report.sensors);
  }
  Json now() const { return sensor_json(system->sensors, simulation->sensors()); }
};

Vec3 vector_of(const Json& value) {
  return {value.at(0).get<double>(), value.at(1).get<double>(), value.at(2).get<double>()};
}

// A block of 0.2 x 0.1 x 0.1 m, held on the left.
nlohmann::json held_block() {
  return parsed(R"({"gravity": [0, 0, 0], "materials": {"m": {"young": 1e5, "poisson": 0.3}},
    "bodies": [{"name": "block", "mesh": {"box": {"size": [0.2, 0.1, 0.1], "cells": [4, 2, 2]}},
      "fix": [{"halfspace": {"point": [-0.1, 0, 0], "normal": [-1, 0, 0]}}]}],
    "contact": {"enabled": false}, "solver": {"tolerance": 1e-12}})");
}

constexpr const char* methods[] = {"newton", "newton-pcg", "multilevel", "quasi_newton"};

void set_method(const std::string& method, nlohmann::json& scene) {
  scene["solver"]["method"] = method;
  if (method == "quasi_newton") scene["solver"].update(parsed(R"({"iterations": 0, "max_iterations": 5000})"));
  if (method == "adaptive") scene["solver"]["adaptive"] = parsed(R"({"vertex_error": 0, "mode_error": 0})");
}

class SensorsOfMethod : public testing::TestWithParam<const char*> {};

// Statics: a force at the end is carried by the fix, with its moment; the displacement is that of the loaded face.
TEST_P(SensorsOfMethod, FixCarriesForceAndMoment) {
  nlohmann::json scene = held_block();
  set_method(GetParam(), scene);
  scene["time"] = parsed(R"({"mode": "static", "steps": 2})");
  scene["solver"]["force_tolerance"] = 1e-10;
  scene["bodies"][0]["loads"] =
      parsed(R"([{"halfspace": {"point": [0.1, 0, 0], "normal": [1, 0, 0]}, "force": [3, 5, 0]}])");
  scene["sensors"] = parsed(R"({"wall": {"fix": "block", "about": [0, 0, 0]},
    "pull": {"load": {"body": "block", "entry": 0}, "about": [0, 0, 0],
             "quantities": ["force", "moment", "displacement.y.max", "work"]}})");
  Measured measured(scene);
  measured.step();
  const Json end = measured.step();
  const Vec3 wall = vector_of(end["wall"]["force"]), pull = vector_of(end["pull"]["force"]);
  EXPECT_LT((wall + Vec3(3, 5, 0)).norm(), 1e-8 * 6);
  EXPECT_LT((pull - Vec3(3, 5, 0)).norm(), 1e-12);
  const Vec3 moments = vector_of(end["wall"]["moment"]) + vector_of(end["pull"]["moment"]);
  EXPECT_LT(moments.norm(), 1e-8 * vector_of(end["pull"]["moment"]).norm());
  EXPECT_GT(end["pull"]["displacement.y.max"].get<double>(), 0);
}

// Methods that reach the tolerance that this needs.
class BalanceOfMethod : public testing::TestWithParam<const char*> {};

// Dynamics: d(momentum)/dt = weight + fix + load + pressure + spring + floor, to 1e-8 of the largest.
TEST_P(BalanceOfMethod, ForcesBalanceMomentum) {
  nlohmann::json scene = held_block();
  set_method(GetParam(), scene);
  scene["gravity"] = {0, -9.81, 0};
  scene["time"] = parsed(R"({"step": 0.002, "steps": 8})");
  nlohmann::json& body = scene["bodies"][0];
  body["loads"] = parsed(R"([
    {"halfspace": {"point": [0.1, 0, 0], "normal": [1, 0, 0]}, "traction": [200, 100, 300]},
    {"halfspace": {"point": [0, 0.05, 0], "normal": [0, 1, 0]}, "pressure": 400}])");
  body["springs"] = parsed(R"([{"halfspace": {"point": [0.1, 0, 0.05], "normal": [1, 0, 1]}, "to": [0.1, 0.2, 0.1],
    "stiffness": 10, "length": 0.05}])");
  body["velocity"] = {0, -1, 0.5};
  scene["obstacles"] = parsed(R"([{"name": "floor", "plane": {"point": [0, -0.0505, 0]}}])");
  scene["contact"] = parsed(R"({"distance": 1e-3, "friction": 0.3})");
  scene["sensors"] = parsed(R"({"wall": {"fix": "block"}, "loads": {"load": "block"}, "spring": {"spring": "block"},
    "floor": {"obstacle": "floor", "quantities": ["force", "normal_force", "friction_force", "area"]},
    "body": {"body": "block", "quantities": ["momentum", "mass"]}})");
  Measured measured(scene);
  Vec3 before = vector_of(measured.now()["body"]["momentum"]);
  double largest_friction = 0;
  for (int s = 0; s < 8; ++s) {
    const Json now = measured.step();
    const Vec3 momentum = vector_of(now["body"]["momentum"]);
    const Vec3 weight = now["body"]["mass"].get<double>() * Vec3(0, -9.81, 0);
    Vec3 sum = weight - (momentum - before) / 0.002;
    double largest = std::max(weight.norm(), ((momentum - before) / 0.002).norm());
    for (const char* name : {"wall", "loads", "spring", "floor"}) {
      const Vec3 force = vector_of(now[name]["force"]);
      sum += force;
      largest = std::max(largest, force.norm());
    }
    EXPECT_LT(sum.norm(), 1e-8 * largest) << "step " << s;
    const Vec3 friction = vector_of(now["floor"]["friction_force"]);
    EXPECT_LT((vector_of(now["floor"]["normal_force"]) + friction - vector_of(now["floor"]["force"])).norm(),
              1e-9 * largest);
    largest_friction = std::max(largest_friction, friction.norm());
    before = momentum;
  }
  EXPECT_GT(largest_friction, 0);
}

// Newmark's velocity follows from the mean of the forces at both ends of a step, and from those of contact at its end.
TEST(Sensors, ForcesBalanceMomentumWithNewmark) {
  nlohmann::json scene = held_block();
  scene["gravity"] = {0, -9.81, 0};
  scene["time"] = parsed(R"({"step": 0.002, "steps": 12, "integrator": "newmark"})");
  scene["bodies"][0]["loads"] =
      parsed(R"([{"halfspace": {"point": [0.1, 0, 0], "normal": [1, 0, 0]}, "traction": [200, 100, 300]}])");
  scene["bodies"][0]["velocity"] = {0, -1, 0.5};
  scene["obstacles"] = parsed(R"([{"name": "floor", "plane": {"point": [0, -0.0505, 0]}}])");
  scene["contact"] = parsed(R"({"distance": 1e-3, "friction": 0.3})");
  scene["sensors"] = parsed(R"({"wall": {"fix": "block"}, "load": {"load": "block"},
    "floor": {"obstacle": "floor", "quantities": ["force"]},
    "body": {"body": "block", "quantities": ["momentum", "mass"]}})");
  Measured measured(scene);
  Vec3 momentum_before = vector_of(measured.now()["body"]["momentum"]), force_before = Vec3::Zero();
  for (int s = 0; s < 12; ++s) {
    const Json now = measured.step();
    const Vec3 momentum = vector_of(now["body"]["momentum"]), contact = vector_of(now["floor"]["force"]);
    const Vec3 force = vector_of(now["wall"]["force"]) + vector_of(now["load"]["force"]) +
                       now["body"]["mass"].get<double>() * Vec3(0, -9.81, 0);
    const Vec3 rate = (momentum - momentum_before) / 0.002;
    const double largest = std::max({rate.norm(), force.norm(), contact.norm()});
    if (s > 0) EXPECT_LT(((force + force_before) / 2 + contact - rate).norm(), 1e-8 * largest) << "step " << s;
    momentum_before = momentum;
    force_before = force;
  }
}

std::string method_label(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::erase_if(name, [](char c) { return c == '-' || c == '_'; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(Sensors, SensorsOfMethod, testing::ValuesIn(methods), method_label);
INSTANTIATE_TEST_SUITE_P(Sensors, BalanceOfMethod, testing::Values("newton", "newton-pcg", "multilevel"), method_label);

// In a subspace, too, the fix carries the load and the weight, by its total and its moment.
TEST(Sensors, ReducedMethodsBalanceTheirTotals) {
  for (const char* method : {"reduced", "mixed"}) {
    nlohmann::json scene = held_block();
    set_method(method, scene);
    scene["gravity"] = {0, -9.81, 0};
    scene["time"] = parsed(R"({"mode": "static", "steps": 2})");
    scene["solver"].erase("tolerance");
    scene["bodies"][0]["loads"] =
        parsed(R"([{"halfspace": {"point": [0.1, 0, 0], "normal": [1, 0, 0]}, "force": [0, 1, 0]}])");
    scene["sensors"] = parsed(R"({"wall": {"fix": "block", "about": [0, 0, 0]},
      "pull": {"load": "block", "about": [0, 0, 0]}, "body": {"body": "block", "quantities": ["mass", "position"]}})");
    Measured measured(scene);
    measured.step();
    const Json end = measured.step();
    const Vec3 weight = end["body"]["mass"].get<double>() * Vec3(0, -9.81, 0);
    EXPECT_LT((vector_of(end["wall"]["force"]) + vector_of(end["pull"]["force"]) + weight).norm(), 1e-8 * weight.norm())
        << method;
    const Vec3 moment = vector_of(end["wall"]["moment"]) + vector_of(end["pull"]["moment"]) +
                        vector_of(end["body"]["position"]).cross(weight);
    EXPECT_LT(moment.norm(), 1e-8 * vector_of(end["wall"]["moment"]).norm()) << method;
  }
}

// The upper plate is pressed down and held sideways: uniaxial strain, whose stress is that of the material.
nlohmann::json pressed_block(int steps) {
  nlohmann::json scene = held_block();
  scene["time"] = {{"mode", "static"}, {"steps", steps}};
  scene["materials"]["m"] = parsed(R"({"model": "stvk", "young": 1e5, "poisson": 0})");
  scene["bodies"][0]["fix"] = parsed(R"([
    {"halfspace": {"point": [0, -0.05, 0], "normal": [0, -1, 0]}},
    {"halfspace": {"point": [0, 0.05, 0], "normal": [0, 1, 0]},
     "motion": {"translate": {"times": [0, 1], "values": [[0, 0, 0], [0, -0.01, 0]]}}}])");
  return scene;
}

// Saint Venant-Kirchhoff with nu = 0 and stretch l: P = E (l^2 - 1) l / 2, Cauchy stress the same, as no area changes.
TEST(Sensors, StressAndStrainOfUniaxialCompression) {
  nlohmann::json scene = pressed_block(2);
  scene["sensors"] = parsed(R"({
    "press": {"fix": {"body": "block", "entry": 1}, "quantities": ["force.y", "displacement.norm", "work"]},
    "all": {"body": "block", "quantities": ["stress.yy", "von_mises.min", "von_mises.max", "pressure", "strain.yy",
      "green_strain.yy.max", "jacobian", "principal_stress.3", "volume"]},
    "point": {"point": {"body": "block", "at": [0.03, 0.02, 0.01]}, "quantities": ["displacement.y", "stress.yy"]}})");
  Measured measured(scene);
  measured.step();
  const Json end = measured.step();
  const double l = 0.9, stress = 1e5 * (l * l - 1) * l / 2;
  EXPECT_NEAR(end["press"]["force.y"].get<double>(), stress * 0.02, 1e-6 * std::abs(stress) * 0.02);
  EXPECT_NEAR(end["press"]["displacement.norm"].get<double>(), 0.01, 1e-12);
  const Json& all = end["all"];
  EXPECT_NEAR(all["stress.yy"].get<double>(), stress, 1e-6 * std::abs(stress));
  EXPECT_NEAR(all["principal_stress.3"].get<double>(), stress, 1e-6 * std::abs(stress));
  EXPECT_NEAR(all["von_mises.min"].get<double>(), -stress, 1e-6 * std::abs(stress));
  EXPECT_NEAR(all["von_mises.max"].get<double>(), -stress, 1e-6 * std::abs(stress));
  EXPECT_NEAR(all["pressure"].get<double>(), -stress / 3, 1e-6 * std::abs(stress));
  EXPECT_NEAR(all["strain.yy"].get<double>(), std::log(l), 1e-9);
  EXPECT_NEAR(all["green_strain.yy.max"].get<double>(), (l * l - 1) / 2, 1e-9);
  EXPECT_NEAR(all["jacobian"].get<double>(), l, 1e-9);
  EXPECT_NEAR(all["volume"].get<double>(), l * 0.002, 1e-12);
  EXPECT_NEAR(end["point"]["displacement.y"].get<double>(), -0.01 * (0.02 + 0.05) / 0.1, 1e-9);
  EXPECT_NEAR(end["point"]["stress.yy"].get<double>(), stress, 1e-6 * std::abs(stress));
}

// The work of the plates is the elastic energy, with the error of the trapezoidal rule.
TEST(Sensors, WorkOfAPressIsElasticEnergy) {
  double error[2] = {};
  for (int k = 0; k < 2; ++k) {
    const int steps = 4 << k;
    nlohmann::json scene = pressed_block(steps);
    scene["sensors"] = parsed(R"({"press": {"fix": "block", "quantities": ["work"]}, "energy": {"energy": "all"}})");
    Measured measured(scene);
    Json end;
    for (int s = 0; s < steps; ++s) end = measured.step();
    const double elastic = end["energy"]["elastic"];
    error[k] = std::abs(end["press"]["work"].get<double>() - elastic) / elastic;
    EXPECT_NEAR(end["energy"]["total"].get<double>(), elastic, 1e-12);
  }
  EXPECT_LT(error[0], 0.01);
  EXPECT_NEAR(error[0] / error[1], 4, 0.5);  // second order
}

// A weight on a block on a floor: each contact carries what lies above, and both sides feel opposite forces.
TEST(Sensors, ContactsOfAStackCarryTheWeightAbove) {
  nlohmann::json scene = parsed(R"({"time": {"mode": "static", "steps": 2}, "gravity": [0, -10, 0],
    "materials": {"m": {"young": 1e6, "poisson": 0.3}},
    "bodies": [{"name": "low", "mesh": {"box": {"size": [0.2, 0.1, 0.2], "cells": [4, 2, 4]}},
                "transform": {"translate": [0, 0.0504, 0]}},
               {"name": "top", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}},
                "transform": {"translate": [0, 0.1508, 0]}}],
    "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0]}}],
    "contact": {"distance": 5e-4, "friction": 0.5}, "solver": {"tolerance": 1e-10, "force_tolerance": 1e-8},
    "sensors": {
      "floor": {"obstacle": "floor"},
      "up": {"contact": ["top", "low"], "quantities": ["force", "normal_force", "area", "mean_pressure", "peak_pressure", "gap"]},
      "down": {"contact": ["low", "top"], "quantities": ["force"]},
      "low": {"contact": ["low", "floor"], "quantities": ["force.y", "gap"]},
      "gap": {"gap": ["top", "floor"]}}})");
  for (const char* model : {"barrier", "convergent"}) {
    scene["contact"]["model"] = model;
    Measured measured(scene);
    measured.step();
    const Json end = measured.step();
    const double top = 0.001 * 1000 * 10, low = 0.004 * 1000 * 10;
    const Vec3 up = vector_of(end["up"]["force"]);
    EXPECT_LT((up - Vec3(0, top, 0)).norm(), 1e-5 * top) << model;
    EXPECT_LT((up + vector_of(end["down"]["force"])).norm(), 1e-9 * top) << model;
    EXPECT_NEAR(end["floor"]["force"].at(1).get<double>(), top + low, 1e-5 * (top + low)) << model;
    EXPECT_NEAR(end["low"]["force.y"].get<double>(), top + low, 1e-5 * (top + low)) << model;
    const double area = end["up"]["area"], mean = end["up"]["mean_pressure"];
    const double normal = vector_of(end["up"]["normal_force"]).norm();  // forces at rims are a little inclined
    EXPECT_GT(area * mean, (1 - 1e-9) * normal) << model;
    EXPECT_LT(area * mean, 1.01 * normal) << model;
    EXPECT_GE(end["up"]["peak_pressure"].get<double>(), mean) << model;
    EXPECT_NEAR(area, 0.01, 0.0005) << model;
    EXPECT_GT(end["up"]["gap"].get<double>(), 0) << model;
    EXPECT_LT(end["up"]["gap"].get<double>(), 5e-4) << model;
    EXPECT_NEAR(end["gap"]["gap"].get<double>(), 0.1 + end["up"]["gap"].get<double>() + end["low"]["gap"].get<double>(),
                1e-3)
        << model;
  }
}

// Two tied blocks pulled apart: the tie carries the load.
TEST(Sensors, TieCarriesTheLoad) {
  nlohmann::json scene = parsed(R"({"time": {"mode": "static", "steps": 1}, "gravity": [0, 0, 0],
    "materials": {"m": {"young": 1e5, "poisson": 0.3}},
    "bodies": [{"name": "low", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [3, 3, 3]}},
                "fix": [{"halfspace": {"point": [0, -0.05, 0], "normal": [0, -1, 0]}}]},
               {"name": "top", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}},
                "transform": {"translate": [0, 0.1, 0]},
                "loads": [{"halfspace": {"point": [0, 0.15, 0], "normal": [0, 1, 0]}, "force": [1, 4, 0]}]}],
    "ties": [{"body": "top", "halfspace": {"point": [0, 0.05, 0], "normal": [0, -1, 0]},
              "to": {"body": "low", "halfspace": {"point": [0, 0.05, 0], "normal": [0, 1, 0]}}}],
    "solver": {"tolerance": 1e-12, "force_tolerance": 1e-10},
    "sensors": {"glue": {"tie": 0, "about": [0, 0, 0]}, "pull": {"load": "top", "about": [0, 0, 0]}}})");
  Measured measured(scene);
  const Json end = measured.step();
  EXPECT_LT((vector_of(end["glue"]["force"]) + Vec3(1, 4, 0)).norm(), 1e-8 * 4);
  EXPECT_LT((vector_of(end["glue"]["moment"]) + vector_of(end["pull"]["moment"])).norm(), 1e-8);
}

// Work goes on where a saved run ended, with the same bits.
TEST(Sensors, SavedRunsSumTheSameWork) {
  nlohmann::json scene = pressed_block(4);
  scene["time"] = parsed(R"({"step": 0.05, "steps": 20})");
  scene["sensors"] = parsed(R"({"press": {"fix": "block", "quantities": ["work", "force"]}})");
  Measured whole(scene), first(scene), second(scene);
  for (int s = 0; s < 3; ++s) {
    whole.step();
    first.step();
  }
  ArchiveWriter writer("unused", "checkpoint");
  first.simulation->save(writer);
  second.simulation->load(ArchiveReader::from_bytes(writer.bytes(), "checkpoint", "saved"));
  for (int s = 0; s < 3; ++s) EXPECT_EQ(whole.step().dump(), second.step().dump());
}

// Sensors change nothing in a run.
TEST(Sensors, MeasuringDoesNotChangeBits) {
  nlohmann::json scene = pressed_block(3);
  Measured bare(scene);
  scene["sensors"] = parsed(R"({"press": {"fix": "block"}, "all": {"body": "block"}, "energy": {"energy": "all"}})");
  Measured measured(scene);
  for (int s = 0; s < 3; ++s) {
    bare.step();
    measured.step();
  }
  EXPECT_TRUE((bare.simulation->state().x.array() == measured.simulation->state().x.array()).all());
}

}  // namespace
}  // namespace sinew
