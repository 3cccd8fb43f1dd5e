// Materials of bodies: by name, by region, or in place.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sinew/material/model.h"
#include "sinew/model/setup.h"
#include "sinew/scene/node.h"

namespace sinew {

struct MaterialContext {
  const Node& materials;                  // the scene's table
  const std::filesystem::path& base_dir;  // of files of fields
  std::set<std::string>& used;            // names that bodies use, added to
};

// The curves that a model takes, {"x": [...], "dy": [...]} by their names, and "rest", of a material that need not have
// passed the schema. Throws InputError beginning with `place` and the key.
UserCurves curves_from_json(const MaterialModel& model, const nlohmann::ordered_json& material,
                            const std::string& place);

// Whether a body has a single material and its model is mass_spring: its mesh may then be a surface.
bool takes_surface(const Node& material, const MaterialContext& context);

// The assignments that cover a body. `material` is a name, {"regions": ...}, or a material, which then has the name of
// the body. Throws InputError: unknown names and regions, tets without a material or with two, refused parameters, a
// surface with a solid's material unless the body is affine.
std::vector<MaterialAssignment> read_assignments(const Node& material, const std::string& body, const TetMesh& mesh,
                                                 const MaterialContext& context, bool affine);

}  // namespace sinew
