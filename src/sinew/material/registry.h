// The table of material models by name.
#pragma once

#include <span>
#include <string>

#include "sinew/material/model.h"

namespace sinew {

// All models, in alphabetical order. They live as long as the program.
std::span<const MaterialModel* const> material_models();

// Returns the model of this name. Throws InputError for an unknown name, listing the known names with a suggestion.
const MaterialModel& find_material_model(const std::string& name);

// Returns the law of any material of a scene: a model of the table, or mass_spring (material/mass_spring.h), which has
// no energy density of F. Throws InputError as above.
const MaterialLaw& find_material_law(const std::string& name);

// Returns a model of the table, in the form that owners of materials store.
SharedModel shared_material_model(const std::string& name);

}  // namespace sinew
