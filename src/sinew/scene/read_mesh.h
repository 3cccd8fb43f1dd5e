// The `mesh` key of bodies and obstacles: a file or a primitive.
#pragma once

#include <filesystem>

#include "sinew/mesh/tet_mesh.h"
#include "sinew/scene/node.h"

namespace sinew {

// A validated mesh, before the transform. Throws InputError naming the key and what the reader found.
TetMesh read_body_mesh(const Node& mesh, const std::filesystem::path& base_dir);

// A validated surface: of a file, or the boundary of a primitive.
TriMesh read_obstacle_mesh(const Node& mesh, const std::filesystem::path& base_dir);

}  // namespace sinew
