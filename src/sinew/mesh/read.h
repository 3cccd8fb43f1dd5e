// Reading a mesh by the extension of its file. A new format is a new pair of files and one row of the table in
// read.cpp.
#pragma once

#include <string>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// The tets of a mesh file, not validated. Throws InputError: no such file, unknown extension (the known ones are
// listed), a surface (with what to do instead), or what the format's reader finds.
TetMesh read_tet_mesh(const std::string& path);

// The triangles of a surface file, or the boundary of a tet mesh. Throws InputError as above.
TriMesh read_tri_mesh(const std::string& path);

// Whether the extension is of a format that holds surfaces only.
bool is_surface_format(const std::string& path);

}  // namespace sinew
