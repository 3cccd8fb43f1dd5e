// STL surfaces, ASCII and binary.
#pragma once

#include <string>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// The triangles of an .stl file with equal vertices merged (exact coordinates; +0 and -0 are equal). Vertices are
// numbered in the order in which they first occur; the stored normals are ignored. Throws InputError with file and line
// or byte.
TriMesh read_stl(const std::string& path);

}  // namespace sinew
