// A small scene of primitives and a temporary folder, for tests of output and commands.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/folder.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sinew::test {

// A cube that slides into a plane and a moving box obstacle.
inline nlohmann::json sample_scene() {
  return nlohmann::json::parse(R"({
    "sinew": 1, "name": "cube & plane", "time": {"step": 0.01, "steps": 6, "integrator": "bdf2"},
    "materials": {"rubber": {"model": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000}},
    "bodies": [{"name": "cube", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}}, "material": "rubber",
                "transform": {"translate": [0, 0.06, 0]}, "velocity": [0.3, -1, 0]}],
    "obstacles": [{"name": "ground", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}},
                  {"name": "wall", "mesh": {"box": {"size": [0.02, 0.1, 0.2], "cells": [1, 1, 1]}},
                   "transform": {"translate": [0.2, 0.06, 0]},
                   "motion": {"translate": {"times": [0, 1], "values": [[0, 0, 0], [-0.1, 0, 0]]}}}],
    "contact": {"distance": 1e-3, "friction": 0.3},
    "solver": {"tolerance": 1e-6}})");
}

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream out;
  out << stream.rdbuf();
  return out.str();
}

class FolderTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const { return own_.write(name, text); }
  std::vector<std::string> listing(const std::string& sub = ".") const {
    std::vector<std::string> names;
    if (!std::filesystem::exists(folder_ / sub)) return names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / sub)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  const Folder own_;
  const std::filesystem::path folder_ = own_.path;
};

}  // namespace sinew::test
