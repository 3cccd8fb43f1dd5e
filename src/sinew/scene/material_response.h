// What a material does in the experiments that measure materials, as pages show it.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/scene/fit_materials.h"

namespace sinew {

// material: of a completed scene. Null where parameters vary over the tets, or where there is neither a curve nor
// anything measured that says which stretches count. Else
//   {"model": NAME,
//    "response": [{"experiment": "uniaxial", "stretch": [...], "stress": [...],   nominal [Pa], incompressible
//                 "stable": [low, high]}, ...]   stretches at which stress rises with strain (material/stability.h)
//    "measured": [{"experiment": ..., "source": FILE, "points": n, "stretch": [...], "stress": [...], "rms": ...}]}
// with the experiments that were measured, or all three. Of many measured points some hundred are listed; rms, the root
// of the mean square of the residual [Pa], is that of all.
nlohmann::ordered_json material_response(const nlohmann::ordered_json& material,
                                         const std::vector<Measurement>& measured);

// The same of all measured materials of a completed scene, by name.
nlohmann::ordered_json measured_responses(const nlohmann::ordered_json& scene, const Measurements& measured);

}  // namespace sinew
