// Reads materials of bodies: by name, by region, or given in the body.
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
  const Node& materials;                  // table of materials of the scene
  const std::filesystem::path& base_dir;  // to which paths of field files are relative
  std::set<std::string>& used;            // receives the names that bodies use
};

// Reads the curves of a model, {"x": [...], "dy": [...]} by their names, "rest", and the lists of a model. The material
// need not have passed the schema. Throws InputError that begins with `place` and the key.
UserCurves curves_from_json(const MaterialModel& model, const nlohmann::ordered_json& material,
                            const std::string& place);

// Whether a body has a single material and its model is mass_spring: its mesh may then be a surface.
bool takes_surface(const Node& material, const MaterialContext& context);

// Reads the assignments that cover a body. `material` is a name, {"regions": ...}, or a material, which then gets the
// name of the body. Throws InputError for unknown names and regions, tets without a material or with two, and refused
// parameters. Also for a surface with a solid's material unless the body is affine.
std::vector<MaterialAssignment> read_assignments(const Node& material, const std::string& body, const TetMesh& mesh,
                                                 const MaterialContext& context, bool affine);

// "3 (steel)" for the regions of a mesh, for messages.
std::string region_list(const TetMesh& mesh);

// Tets of a region, by the name of a volume group, else by region id; empty when there is none.
std::vector<Index> region_tets(const TetMesh& mesh, const std::string& key);

// Makes values of tets those of the parts of ten-node tets (mesh/quadratic_tets.h).
void repeat_for_parts(MaterialAssignment& material);

}  // namespace sinew
