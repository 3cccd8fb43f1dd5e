// The table of material models by name.
#pragma once

#include <span>
#include <string>

#include "sinew/material/model.h"

namespace sinew {

// All models, in alphabetical order. They live as long as the program.
std::span<const MaterialModel* const> material_models();

// Throws InputError listing the known names, with a suggestion, for an unknown one.
const MaterialModel& find_material_model(const std::string& name);

// The parameters of any material of a scene: of a model of the table, or mass_spring (material/mass_spring.h), which is
// no energy density of F. Throws InputError as above.
const MaterialLaw& find_material_law(const std::string& name);

// A model of the table, for owners of materials.
SharedModel shared_material_model(const std::string& name);

}  // namespace sinew
