// Materials of a running simulation in the terms of their scene: as the scene has one with what was edited since, and
// edits of one from such terms.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/model/edit.h"

namespace sinew {

using Json = nlohmann::ordered_json;

struct MaterialState {
  Json scene;                    // as a scene holds it
  Json arrays = Json::object();  // what was set for each tet, by key: a scene holds such values in files

  Json all() const;
};

// start: as the scene has it.
MaterialState edited_material(const std::string& name, const Json& start, const Edits& edits);

// Keys of a material as a scene has them, "fiber.stiffness" and "fiber.direction" too; those that are not named stay.
// Values that vary are arrays with one for each tet of the material. Throws InputError naming the key.
std::vector<Edit> material_edits(const std::string& name, const MaterialState& now, const Json& changed,
                                 const System& system);

// Curves by name, {"x": [...], "dy": [...]} or null for none, and "rest"; what is not named stays. now: as a scene has
// the material.
CurvesEdit curves_edit(const std::string& name, const Json& now, const Json& changed);

// The curves of a material, with null for those that it does not have, and how it is at rest; null where it has none.
Json curves_of(const Json& material);
// Whether a key of the material is a curve or how it is at rest.
bool is_of_curves(const Json& material, const std::string& key);

bool is_finite_number(const Json& value);

}  // namespace sinew
