// Reads Stanford .ply surfaces, ASCII and binary of either byte order.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns vertices (x, y, z) and faces (vertex_indices or vertex_index) of a .ply file. Polygons are cut into fans;
// other elements and properties are skipped. Vertices keep the order of the file. Throws InputError with file and line
// or byte.
MeshFile parse_ply(const MeshSource& source);

}  // namespace sinew
