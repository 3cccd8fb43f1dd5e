// Shared by the tests of the scene format.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "support/folder.h"
#include "support/grids.h"
#include <nlohmann/json.hpp>

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/scene/json_file.h"
#include "sinew/scene/scene.h"

namespace sinew::test {

// The sample scene of the architecture, without its files.
inline const char* const sample_scene = R"({ "sinew": 1, "name": "ball drop",
  "time": {"step": 0.01, "steps": 100, "integrator": "bdf2"},
  "gravity": [0, -9.81, 0],
  "materials": {"rubber": {"model": "neo_hookean", "young": 1e6, "poisson": 0.4, "density": 1000}},
  "bodies": [{"name": "ball", "mesh": {"sphere": {"radius": 0.1, "size": 0.02}}, "material": "rubber",
              "transform": {"translate": [0, 0.3, 0]}, "velocity": [0, -2, 0],
              "fix": [{"box": [[-1, 0.39, -1], [1, 1, 1]], "motion": {"translate": {"times": [0, 1], "values": [[0,0,0], [0.1,0,0]]}}}]}],
  "obstacles": [{"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}, {"mesh": "terrain.obj", "motion": {}}],
  "contact": {"distance": 1e-3, "friction": 0.3, "self": true},
  "solver": {"method": "newton", "tolerance": 1e-3},
  "output": {"every": 1, "formats": ["vtu", "html"]} })";

// A cube of 2 x 2 x 2 cells (27 vertices, 40 tets) of edge 1 on a plane.
inline nlohmann::json cube_scene() {
  return nlohmann::json::parse(R"({
    "materials": {"rubber": {}},
    "bodies": [{"name": "cube", "mesh": {"box": {"size": [1, 1, 1], "cells": [2, 2, 2]}}}],
    "obstacles": [{"name": "floor", "plane": {"point": [0, -1, 0]}}]})");
}

// One tet a region; a surface group and a volume group with names.
inline const char* const two_regions = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
2 7 "left"
3 1 "soft"
3 2 "hard"
$EndPhysicalNames
$Nodes
6
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 1 1 1
6 9 9 9
$EndNodes
$Elements
3
1 2 2 7 1 1 3 4
2 4 2 1 1 1 2 3 4
3 4 2 2 2 2 3 4 5
$EndElements
)";

// Collects warnings instead of printing them while it lives.
class QuietLog {
 public:
  QuietLog() {
    log::set_sink([this](log::Level, std::string_view text) { messages.emplace_back(text); });
  }
  ~QuietLog() { log::set_sink({}); }
  std::vector<std::string> messages;
};

// A .npy file of version 1.0 as text.
inline std::string npy(const std::string& header, const void* data, std::size_t size) {
  std::string text = header;
  while ((10 + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(text.size() & 255);
  file += static_cast<char>(text.size() >> 8);
  return file + text + std::string(static_cast<const char*>(data), size);
}

inline std::string npy_doubles(const std::string& shape, const std::vector<double>& values, bool fortran = false) {
  const std::string header =
      "{'descr': '<f8', 'fortran_order': " + std::string(fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  return npy(header, values.data(), values.size() * sizeof(double));
}

// Files with something wrong in each, for the cube of 40 tets.
inline void write_bad_files(const Folder& folder) {
  std::vector<double> values(40, 1);
  folder.write("bad.npy", "no numpy file at all");
  folder.write("short.npy", npy_doubles("(3,)", {1, 2, 3}));
  folder.write("cut.npy", npy_doubles("(40,)", {1, 2, 3}));
  folder.write("wide.npy", npy_doubles("(40, 3)", std::vector<double>(120, 1)));
  folder.write("cube.npy", npy_doubles("(40, 1, 1)", values));
  folder.write("zero.npy", npy_doubles("(40, 3)", std::vector<double>(120, 0)));
  values[7] = -1;
  folder.write("negative.npy", npy_doubles("(40,)", values));
  values[7] = std::numeric_limits<double>::quiet_NaN();
  folder.write("nan.npy", npy_doubles("(40,)", values));
  values[7] = 1e300;
  folder.write("large.npy", npy_doubles("(40,)", values));
  folder.write("big.npy", npy("{'descr': '>f8', 'fortran_order': False, 'shape': (40,), }", values.data(), 320));
  folder.write("text.npy", npy("{'descr': '<U4', 'fortran_order': False, 'shape': (40,), }", values.data(), 320));
  folder.write("rows.npy",
               npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (40,), }", values.data(), 320));
  folder.write("head.npy", std::string("\x93NUMPY\x01\x00\xff\x00{", 11));
  folder.write("surface.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n");
  folder.write("ball.step", "");
  folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  folder.write("good.csv", "stretch,stress\n0.8,-152500\n1,0\n1.5,211111.11\n2,350000\n");
  folder.write("words.csv", "1,0\n2,soft\n3,1e5\n");
  folder.write("strain.csv", "strain,stress\n0,0\n0.5,1e5\n1,2e5\n");
  folder.write("few.csv", "1,0\n2,1e5\n");
  folder.write("falls.csv", "1,0\n2,-1e5\n3,-2e5\n");
}

// The text of the InputError that parsing raises.
inline std::string scene_error(const nlohmann::json& scene, const std::filesystem::path& base_dir = "") {
  try {
    parse_scene(scene, base_dir, "s.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// The same of the cube scene with one value changed as by --set.
inline std::string changed_error(const std::string& assignment, const std::filesystem::path& base_dir = "") {
  nlohmann::json scene = cube_scene();
  apply_override(scene, assignment);
  return scene_error(scene, base_dir);
}

inline Scene changed_scene(std::initializer_list<std::string> assignments, const std::filesystem::path& base_dir = "") {
  nlohmann::json scene = cube_scene();
  for (const std::string& assignment : assignments) apply_override(scene, assignment);
  return parse_scene(scene, base_dir, "s.json");
}

}  // namespace sinew::test
