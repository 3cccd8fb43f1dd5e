// Reader of Gmsh .msh files, versions 2.0-2.2, 4.0 and 4.1, ASCII and binary of either byte order.
// Source: Gmsh reference manual, "MSH file format" and its legacy chapters.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// The contents of a .msh file. Nodes keep the order of the file; node tags may be any integers.
// regions: the first physical volume of a tet; 0 for tets outside of all of them; the entity id where the file has no
// physical volumes at all. groups: the physical surfaces (with their triangles) and volumes (with their tets), or, in a
// dimension without physical groups, the entities. Points and lines are ignored, quadrangles are cut into two
// triangles, of higher-order elements the corners are kept. The result is not validated (see validate.h). Throws
// InputError with file and line (or byte): malformed or truncated text, unknown version, other volume elements.
MeshFile parse_gmsh(const MeshSource& source);

}  // namespace sinew
