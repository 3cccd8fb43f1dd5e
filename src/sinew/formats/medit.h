// Reads Medit meshes: .mesh (text) and .meshb (binary, versions 1 to 4 of the libMeshb layout, either byte order).
// Source: P. Frey, "MEDIT: an interactive mesh visualization software", INRIA RT-0253, and the layout of libMeshb.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns the contents of a Medit file; its bytes tell whether it is text or binary. Vertices keep the order of the
// file. References of tets become regions and groups of dimension 3, references of triangles groups of dimension 2.
// Quadrilaterals are cut into two triangles. TetrahedraP2 and TrianglesP2 keep only their corners. Other keywords are
// ignored. The result is not validated. Throws InputError with file and line (or byte) for malformed or truncated data,
// dimension 2, volume elements other than tets, and files without vertices.
MeshFile parse_medit(const MeshSource& source);

}  // namespace sinew
