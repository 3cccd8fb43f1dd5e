// The stress of a material in standard experiments, and its measured curves, for pages.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/scene/fit_materials.h"

namespace sinew {

// The response of a material of a completed scene. Null if parameters vary over the tets, or if neither a curve nor a
// measurement says which stretches count. Otherwise it holds the measured experiments, or all three (uniaxial, biaxial,
// shear) if none was measured:
//
//   {"model": NAME,
//    "response": [{"experiment": "uniaxial", "stretch": [...], "stress": [...], "stable": [low, high]}, ...],
//    "measured": [{"experiment": ..., "source": FILE, "points": n, "stretch": [...], "stress": [...], "rms": ...}]}
//
// Stress is nominal [Pa], of incompressible material. It rises with strain at "stable" stretches
// (material/stability.h). At most some hundred measured points are listed. "rms" is the root mean square residual [Pa]
// of all.
nlohmann::ordered_json material_response(const nlohmann::ordered_json& material,
                                         const std::vector<Measurement>& measured);

// The responses of all measured materials of a completed scene, by name.
nlohmann::ordered_json measured_responses(const nlohmann::ordered_json& scene, const Measurements& measured);

}  // namespace sinew
