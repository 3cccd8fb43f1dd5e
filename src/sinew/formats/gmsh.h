// Reads Gmsh .msh files, versions 2.0-2.2, 4.0 and 4.1, ASCII and binary of either byte order.
// Source: Gmsh reference manual, "MSH file format" and its legacy chapters.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns the contents of a .msh file. Nodes keep the order of the file; node tags may be any integers. The region of a
// tet is its first physical volume, 0 without one, or the entity id if the file has no physical volumes. Groups are the
// physical surfaces and volumes with their elements; a dimension without physical groups has its entities as groups.
// Points and lines are ignored. Quadrangles are cut into two triangles. Higher-order elements keep only their corners.
// The result is not validated (see validate.h). Throws InputError with file and line (or byte) for malformed or
// truncated text, an unknown version, and volume elements other than tets.
MeshFile parse_gmsh(const MeshSource& source);

}  // namespace sinew
