// Reads STL surfaces, ASCII and binary.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns the triangles of an .stl file, with equal vertices merged (exact coordinates; +0 and -0 are equal). Vertices
// are numbered in the order of their first occurrence; stored normals are ignored. Throws InputError with file and line
// or byte.
MeshFile parse_stl(const MeshSource& source);

}  // namespace sinew
