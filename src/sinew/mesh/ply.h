// Stanford .ply surfaces, ASCII and binary of either byte order.
#pragma once

#include <string>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// Vertices (x, y, z) and faces (vertex_indices or vertex_index) of a .ply file; polygons are cut into fans, other
// elements and properties are skipped. Vertices keep the order of the file. Throws InputError with file and line or
// byte.
TriMesh read_ply(const std::string& path);

}  // namespace sinew
