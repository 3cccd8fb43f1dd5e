// Converts between the materials of a running simulation, including edits, and the JSON of a scene.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/model/edit.h"

namespace sinew {

using Json = nlohmann::ordered_json;

struct MaterialState {
  Json scene;                    // the material, as in a scene
  Json arrays = Json::object();  // values that vary between tets, by key; a scene keeps them in files

  Json all() const;
};

// Returns a material with all edits applied. start: its JSON in the scene.
MaterialState edited_material(const std::string& name, const Json& start, const Edits& edits);

// Returns the edits that set the keys in `changed`: keys of a scene's material, also "fiber.stiffness" and
// "fiber.direction". Other keys stay. Values that vary are arrays with one entry for each tet of the material. Throws
// InputError naming the key.
std::vector<Edit> material_edits(const std::string& name, const MaterialState& now, const Json& changed,
                                 const System& system);

// Returns the edit that sets curves by name. A curve is {"x": [...], "dy": [...]}, or null to remove it; "rest" may be
// set too. Other curves stay. now: current JSON of the material.
CurvesEdit curves_edit(const std::string& name, const Json& now, const Json& changed);

// Returns the curves of a material (null for missing ones) and "rest". Returns null if the material has no curves.
Json curves_of(const Json& material);
// Whether a key of the material is a curve or "rest".
bool is_of_curves(const Json& material, const std::string& key);

bool is_finite_number(const Json& value);

}  // namespace sinew
