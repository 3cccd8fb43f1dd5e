// Materials of a scene that are fitted to measured curves when it is read, by the code of `sinew fit`.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/material/fit.h"

namespace sinew {

// Measured curves by name of the material.
using Measurements = std::map<std::string, std::vector<Measurement>>;

struct MaterialFit {
  std::string material;  // its name; for a body's own material, the name of the body
  std::string place;     // the path of "from_data" in the scene
  FitOptions options;
  std::vector<Measurement> measurements;
  FitResult result;
};

// In a completed scene puts parameters or curves in the place of each "from_data". Relative paths start at `base_dir`.
// Throws InputError naming the key, file and line.
std::vector<MaterialFit> fit_materials(nlohmann::ordered_json& scene, const std::filesystem::path& base_dir,
                                       const std::string& source);

Measurements measurements_of(const std::vector<MaterialFit>& fits);

// The parameters or curves as in the "materials" of a scene.
nlohmann::ordered_json fitted_parameters(const FitResult& fit);

// "data.csv: uniaxial, 14 points, stretch 1 to 7.6: residual 2.1e+04 Pa (root mean square), 0.33 % of the largest
// stress"
std::string residual_text(const Measurement& measurement, double rms);

// "stable (stress rises with strain): uniaxial at stretches 0.13 to 7.6, ..., as far as 0.05 to 20", a line.
std::string stable_text(const FitResult& fit);

}  // namespace sinew
