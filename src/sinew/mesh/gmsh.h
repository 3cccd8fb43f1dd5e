// Reader of Gmsh .msh files, versions 2.0-2.2, 4.0 and 4.1, ASCII and binary of either byte order.
// Source: Gmsh reference manual, "MSH file format" and its legacy chapters.
#pragma once

#include <string>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// The tets of a .msh file. Nodes keep the order of the file; node tags may be any integers.
// regions: the first physical volume of a tet; 0 for tets outside of all of them; the entity id where the file has no
// physical volumes at all. groups: the physical surfaces (with their triangles) and volumes (with their tets), or, in a
// dimension without physical groups, the entities. Points, lines and quadrangles are ignored; of higher-order tets and
// triangles the corners are kept (with a warning). The result is not validated (see validate.h).
// Throws InputError with file and line (or byte): malformed or truncated text, unknown version, other volume elements,
// no tets.
TetMesh read_gmsh(const std::string& path);

// The boundary of the file's tets or, where it has none, its triangles.
TriMesh read_gmsh_surface(const std::string& path);

}  // namespace sinew
