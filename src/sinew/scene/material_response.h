// Computes the stress of a material in standard experiments, and lists its measured curves, for pages.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/scene/fit_materials.h"

namespace sinew {

// Returns the response of a material of a completed scene. Null if parameters vary over the tets, or if neither a curve
// nor a measurement gives a range of stretches. Otherwise it contains the measured experiments, or all three (uniaxial,
// biaxial, shear) if none was measured:
//
//   {"model": NAME,
//    "response": [{"experiment": "uniaxial", "stretch": [...], "stress": [...], "stable": [low, high]}, ...],
//    "measured": [{"experiment": ..., "source": FILE, "points": n, "stretch": [...], "stress": [...], "rms": ...}]}
//
// Stress is nominal [Pa]. All materials but foams count as incompressible (material/measurement.h). Stress rises with
// strain at "stable" stretches (material/stability.h). At most some hundred measured points are listed. "rms" is the
// root mean square residual [Pa] over all measured points.
nlohmann::ordered_json material_response(const nlohmann::ordered_json& material,
                                         const std::vector<Measurement>& measured);

// Returns the responses of all measured materials of a completed scene, by name.
nlohmann::ordered_json measured_responses(const nlohmann::ordered_json& scene, const Measurements& measured);

}  // namespace sinew
