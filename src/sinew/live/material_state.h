// Converts between materials of a running simulation, including edits, and the JSON of a scene.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/model/edit.h"

namespace sinew {

using Json = nlohmann::ordered_json;

struct MaterialState {
  Json scene;                    // JSON of a scene
  Json arrays = Json::object();  // values for each tet, by key: a scene has such values in files

  Json all() const;
};

// start: JSON of the scene.
MaterialState edited_material(const std::string& name, const Json& start, const Edits& edits);

// Returns edits for `changed`: keys of a scene's material, also "fiber.stiffness" and "fiber.direction". Others stay.
// Varying values are arrays with one entry for each tet of the material. Throws InputError naming the key.
std::vector<Edit> material_edits(const std::string& name, const MaterialState& now, const Json& changed,
                                 const System& system);

// Returns the edit of curves by name, {"x": [...], "dy": [...]} or null to remove one, and "rest"; others stay. now:
// JSON of the material.
CurvesEdit curves_edit(const std::string& name, const Json& now, const Json& changed);

// Returns the curves of a material, null for missing ones, and "rest"; null for a material without curves.
Json curves_of(const Json& material);
// Whether a key of the material is a curve or "rest".
bool is_of_curves(const Json& material, const std::string& key);

bool is_finite_number(const Json& value);

}  // namespace sinew
