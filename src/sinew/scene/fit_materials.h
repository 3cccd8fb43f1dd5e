// Fits materials of a scene to measured curves when the scene is read, with the code of `sinew fit`.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/material/fit.h"

namespace sinew {

// Measured curves, by name of the material.
using Measurements = std::map<std::string, std::vector<Measurement>>;

struct MaterialFit {
  std::string material;  // name of the material; for a body's own material that of the body
  std::string place;     // path of "from_data" in the scene
  FitOptions options;
  std::vector<Measurement> measurements;
  FitResult result;
};

// Replaces each "from_data" in a completed scene by parameters or curves. Relative paths start at `base_dir`. Throws
// InputError naming the key, file and line.
std::vector<MaterialFit> fit_materials(nlohmann::ordered_json& scene, const std::filesystem::path& base_dir,
                                       const std::string& source);

Measurements measurements_of(const std::vector<MaterialFit>& fits);

// Returns the parameters or curves as in "materials" of a scene.
nlohmann::ordered_json fitted_parameters(const FitResult& fit);

// Returns a text like "data.csv: uniaxial, 14 points, stretch 1 to 7.6: residual 2.1e+04 Pa (root mean square), 0.33 %
// of the largest stress".
std::string residual_text(const Measurement& measurement, double rms);

// Returns lines like "mu 4.02e+05 Pa +- 0.8 %, jm 30.1 +- 2 %", or one line for each term of a sum. Empty for `spline`.
std::vector<std::string> number_lines(const FitResult& fit);

// Returns the numbers whose standard deviation is above `unsure` (material/confidence.h), as "c01" or "alpha[1]".
std::vector<std::string> unsure_numbers(const FitResult& fit);

// Returns lines like "stable (stress rises with strain): uniaxial at stretches 0.13 to 7.6, ..., as far as 0.05 to 20".
std::string stable_text(const FitResult& fit);

}  // namespace sinew
