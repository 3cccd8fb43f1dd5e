// Values for all tets or for each tet: a number, a .npy file, or a cell array of the mesh.
#pragma once

#include <filesystem>
#include <vector>

#include "sinew/mesh/tet_mesh.h"
#include "sinew/scene/node.h"

namespace sinew {

// Returns one value, or one for each tet of the mesh. `node` is a number or {"field": ...}. Throws InputError naming
// the key, and the numbers of values found and expected.
std::vector<double> tet_values(const Node& node, const TetMesh& mesh, const std::filesystem::path& base_dir);

// Returns one unit direction, or one for each tet: 3 x (1 or m). `node` is a vector or {"field": ...} of m x 3 numbers.
Points tet_directions(const Node& node, const TetMesh& mesh, const std::filesystem::path& base_dir);

// Returns the six values of one symmetric matrix (XX YY ZZ XY YZ XZ), or of one for each tet: 6 x (1 or m).
MatX tet_matrices(const Node& node, const TetMesh& mesh, const std::filesystem::path& base_dir);

}  // namespace sinew
