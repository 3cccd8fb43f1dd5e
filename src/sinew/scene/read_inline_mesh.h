// Reads meshes whose arrays are in the scene itself.
#pragma once

#include "sinew/mesh/tet_mesh.h"
#include "sinew/scene/node.h"

namespace sinew {

// Returns the validated mesh of {"tets": {...}}. Throws InputError naming the key, and warns as for a mesh file.
TetMesh read_inline_tets(const Node& mesh);

// Returns the validated surface of {"triangles": {...}} or {"heightfield": {...}}.
TriMesh read_inline_surface(const Node& mesh);

// Whether a mesh has the arrays of a surface.
bool is_inline_surface(const Node& mesh);

}  // namespace sinew
