// Fields that a scene asks for: stresses and strains against closed forms, means at vertices, contact pressure.
#include "sinew/io/requested_fields.h"

#include <cmath>

#include "io/record_scene.h"
#include "io/sample_scene.h"
#include "support/folder.h"
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "sinew/formats/read.h"
#include "sinew/io/vtu_frames.h"

namespace sinew {
namespace {

// A block between two plates, pressed to the stretch 0.9; nu = 0, so that its sides stay where they are.
nlohmann::json pressed(const char* elements) {
  nlohmann::json scene = nlohmann::json::parse(R"({"gravity": [0, 0, 0], "time": {"mode": "static", "steps": 2},
    "materials": {"m": {"model": "stvk", "young": 1e5, "poisson": 0}},
    "bodies": [{"mesh": {"box": {"size": [0.2, 0.1, 0.1], "cells": [4, 2, 2]}},
      "fix": [{"halfspace": {"point": [0, -0.05, 0], "normal": [0, -1, 0]}},
              {"halfspace": {"point": [0, 0.05, 0], "normal": [0, 1, 0]},
               "motion": {"translate": {"times": [0, 1], "values": [[0, 0, 0], [0, -0.01, 0]]}}}]}],
    "contact": {"enabled": false}, "solver": {"tolerance": 1e-12}})");
  scene["bodies"][0]["elements"] = elements;
  return scene;
}

struct Pressed {
  std::shared_ptr<System> system;
  std::unique_ptr<Simulation> simulation;

  explicit Pressed(const nlohmann::json& json) {
    Scene scene = parse_scene(json, ".");
    system = build_system(scene);
    simulation = std::make_unique<Simulation>(system);
    for (int s = 0; s < system->setup.time.steps; ++s) EXPECT_TRUE(simulation->step().converged);
  }
};

void expect_rows(const std::vector<double>& values, const std::vector<double>& right, double tolerance,
                 const char* name) {
  ASSERT_EQ(values.size() % right.size(), 0u) << name;
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(values[i], right[i % right.size()], tolerance) << name << " " << i;
}

TEST(RequestedFields, UniaxialCompressionInAllElements) {
  const double l = 0.9, S = 1e5 * (l * l - 1) / 2, P = l * S, tiny = 1e-6 * std::abs(S);
  for (const char* elements : {"linear", "quadratic"}) {
    const Pressed run(pressed(elements));
    Frame frame(*run.simulation);
    const auto field = [&](const char* name) { return tet_field(find_field(name), frame); };
    expect_rows(field("first_piola"), {0, 0, 0, 0, P, 0, 0, 0, 0}, tiny, "first_piola");
    expect_rows(field("second_piola"), {0, S, 0, 0, 0, 0}, tiny, "second_piola");
    expect_rows(field("principal_stress"), {0, 0, P}, tiny, "principal_stress");
    expect_rows(field("pressure"), {-P / 3}, tiny, "pressure");
    expect_rows(field("strain"), {0, std::log(l), 0, 0, 0, 0}, 1e-7, "strain");
    expect_rows(field("green_strain"), {0, (l * l - 1) / 2, 0, 0, 0, 0}, 1e-7, "green_strain");
    expect_rows(field("principal_strain"), {0, 0, std::log(l)}, 1e-7, "principal_strain");
    expect_rows(field("jacobian"), {l}, 1e-7, "jacobian");
    expect_rows(field("energy_density"), {S * S / 2e5}, tiny, "energy_density");
    const std::vector<double> directions = field("principal_strain_directions");
    for (std::size_t t = 0; t < directions.size(); t += 9) EXPECT_NEAR(std::abs(directions[t + 7]), 1, 1e-6);
    expect_rows(nodal_field("cauchy_stress", frame), {0, P, 0, 0, 0, 0}, tiny, "nodal_cauchy_stress");
  }
}

// Densities times volumes at rest add up to the elastic energy, also where volume changes are means around vertices.
TEST(RequestedFields, EnergyDensitiesAddUp) {
  for (const char* elements : {"linear", "linear_mixed", "quadratic", "quadratic_mixed"}) {
    nlohmann::json scene = pressed(elements);
    scene["materials"]["m"] = nlohmann::json::parse(R"({"young": 1e5, "poisson": 0.45})");
    const Pressed run(scene);
    Frame frame(*run.simulation);
    const std::vector<double> density = frame.energy_density();
    const System& system = *run.system;
    double sum = 0;
    for (Index t = 0; t < system.user_tet_count; ++t) {
      Mat3 edges;
      for (int k = 0; k < 3; ++k)
        edges.col(k) = system.user_rest.col(system.user_tets(k + 1, t)) - system.user_rest.col(system.user_tets(0, t));
      sum += std::abs(edges.determinant()) / 6 * density[t];
    }
    const double energy = run.simulation->energies().elastic;
    EXPECT_GT(energy, 0);
    EXPECT_NEAR(sum, energy, 1e-12 * energy) << elements;
  }
}

TEST(RequestedFields, PagesShowNodalFieldsOnce) {
  EXPECT_EQ(shown_fields({"strain"}, {"von_mises", "strain", "jacobian"}),
            (std::vector<std::string>{"strain", "jacobian"}));
}

// Values that are linear in space: means of ten-node tets at their nodes are exact.
TEST(RequestedFields, QuadraturePointsOfTenNodeTetsAreExtrapolated) {
  const Pressed run(pressed("quadratic"));
  const System& system = *run.system;
  const auto linear = [](const Vec3& x) { return 3 + 2 * x[0] - x[1] + 5 * x[2]; };
  const double a = 0.25 + 0.75 / std::sqrt(5.0), b = (1 - a) / 3;
  std::vector<double> values(static_cast<std::size_t>(system.user_tet_count), 0.0);
  for (Index q = 0; q < system.user_quadratic_tets.cols(); ++q) {
    const auto nodes = system.user_quadratic_tets.col(q);
    for (int c = 0; c < 4; ++c) {
      Vec3 point = Vec3::Zero();
      for (int k = 0; k < 4; ++k) point += (k == c ? a : b) * system.user_rest.col(nodes[k]);
      values[parts_of_quadratic * q + c] = linear(point);
    }
  }
  const std::vector<double> means = nodal_means(system, values, 1);
  for (Index v = 0; v < system.user_vertex_count; ++v)
    EXPECT_NEAR(means[v], linear(system.user_rest.col(v)), 1e-12) << v;
}

// Two materials: a vertex between them has the mean of one of them, never a mixture.
TEST(RequestedFields, MeansDoNotCrossMaterials) {
  nlohmann::json scene = pressed("linear");
  scene["materials"]["hard"] = nlohmann::json::parse(R"({"young": 1e7})");
  scene["bodies"][0].erase("material");
  scene["bodies"].push_back(scene["bodies"][0]);
  scene["bodies"][0]["material"] = "m";
  scene["bodies"][1]["material"] = "hard";
  scene["bodies"][1]["transform"] = nlohmann::json::parse(R"({"translate": [1, 0, 0]})");
  for (int b = 0; b < 2; ++b) scene["bodies"][b].erase("fix");
  Scene parsed = parse_scene(scene, ".");
  std::shared_ptr<System> system = build_system(parsed);
  // The materials of half of the first body's tets are changed as a mesh of two regions would have them.
  for (Index t = 0; t < system->tet_count(); ++t) {
    Vec3 middle = Vec3::Zero();
    for (int k = 0; k < 4; ++k) middle += system->rest.col(system->tets(k, t)) / 4;
    system->tet_material[t] = middle[0] > 0 ? 1 : 0;
  }
  const std::vector<Index> material = by_user_tet(*system, system->tet_material);
  std::vector<double> values;
  for (const Index m : material) values.push_back(m == 0 ? 1 : 100);
  for (const double mean : nodal_means(*system, values, 1))
    EXPECT_TRUE(std::abs(mean - 1) < 1e-12 || std::abs(mean - 100) < 1e-12) << mean;
}

// Contact loads ten-node faces mostly at their nodes on edges, which alone would have 1.33 times the pressure, and
// corners hardly any. Corners carry a little more than a constant pressure gives them: a tenth is left.
TEST(RequestedFields, ContactPressureIsEven) {
  for (const char* elements : {"linear", "quadratic"}) {
    nlohmann::json scene = nlohmann::json::parse(R"({"gravity": [0, 0, 0], "time": {"mode": "static", "steps": 1},
      "materials": {"m": {"young": 1e6, "poisson": 0}},
      "bodies": [{"name": "block", "mesh": {"box": {"size": [0.2, 0.1, 0.2], "cells": [4, 2, 4]}},
                  "transform": {"translate": [0, 0.0501, 0]}, "fix": [{"all": true, "axes": "xz"}],
                  "loads": [{"halfspace": {"point": [0, 0.1, 0], "normal": [0, 1, 0]}, "pressure": 1000}]}],
      "obstacles": [{"name": "floor", "plane": {}}], "contact": {"distance": 1e-4},
      "sensors": {"floor": {"obstacle": "floor", "quantities": ["mean_pressure", "peak_pressure"]}},
      "solver": {"tolerance": 1e-9, "force_tolerance": 1e-6}})");
    scene["bodies"][0]["elements"] = elements;
    const double tolerance = std::string_view(elements) == "linear" ? 20 : 150;
    const Pressed run(scene);
    Frame frame(*run.simulation);
    for (const double pressure : vertex_field(find_field("contact_pressure"), frame))
      if (pressure > 0) EXPECT_NEAR(pressure, 1000, tolerance) << elements;
    const std::vector<double> mean_and_peak = run.simulation->sensors();
    EXPECT_NEAR(mean_and_peak.at(0), 1000, 20) << elements;
    EXPECT_NEAR(mean_and_peak.at(1), 1000, tolerance) << elements;
  }
}

// A block pressed on a floor: the pressure is its weight over its base; frames have the fields.
TEST(RequestedFields, ContactPressureIsWeightOverArea) {
  nlohmann::json scene = nlohmann::json::parse(R"({"gravity": [0, -10, 0], "time": {"mode": "static", "steps": 1},
    "materials": {"m": {"young": 1e6, "poisson": 0}},
    "bodies": [{"mesh": {"box": {"size": [0.2, 0.1, 0.2], "cells": [4, 2, 4]}},
                "transform": {"translate": [0, 0.0505, 0]}}],
    "obstacles": [{"plane": {}}], "contact": {"distance": 1e-3, "friction": 0.5},
    "solver": {"tolerance": 1e-9, "force_tolerance": 1e-6},
    "output": {"formats": ["vtu", "html"], "fields": ["contact_pressure", "contact_traction", "strain"],
               "nodal_fields": ["von_mises"]}})");
  const Pressed run(scene);
  Frame frame(*run.simulation);
  const std::vector<double> pressure = vertex_field(find_field("contact_pressure"), frame);
  double force = 0, mean = 0, area = 0;
  for (Index v = 0; v < run.system->user_vertex_count; ++v) {
    force += frame.contact_force()(1, v);
    if (pressure[v] > 0) {
      const double own = frame.contact_force().col(v).norm() / pressure[v];
      mean += own * pressure[v];
      area += own;
    }
  }
  EXPECT_NEAR(force, 40, 1e-3);
  EXPECT_NEAR(mean / area, 40 / 0.04, 0.01 * 1000);
  test::Folder folder;
  const std::string out = (folder.path / "out").string();
  test::record(scene, out, FolderMode::refuse, 1);
  const MeshFile last = read_mesh_file(VtuFrames::body_files(out).back());
  EXPECT_EQ(last.volume.cell_fields.at("strain").size(), std::size_t{6} * run.system->user_tet_count);
  const std::string text = test::slurp(VtuFrames::body_files(out).back());
  for (const char* name : {"contact_pressure", "contact_traction", "nodal_von_mises"})
    EXPECT_NE(text.find(std::string("Name=\"") + name + "\""), std::string::npos) << name;
  EXPECT_TRUE(colour_field(find_field("strain"), frame).allFinite());
  EXPECT_THROW(find_field("stresses"), InputError);
}

}  // namespace
}  // namespace sinew
