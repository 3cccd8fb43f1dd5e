// Reads the meshes of Nastran bulk data (.bdf, .nas). Source: MSC Nastran Quick Reference Guide; comments with names as
// HyperMesh and ANSA write them.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns the mesh of a file: GRID with coordinate systems CORD2R, CORD2C and CORD2S, CTETRA, CTRIA3, CTRIA6, CTRIAR,
// and quadrangles, which are cut in two. The property of a tet is its region. Properties of tets and of triangles
// become groups with the property's number, and SET, SET1 and SET3 groups of nodes or elements. Names come from
// comments $HMNAME, $HMSET and $ANSA_NAME_COMMENT. PSOLID and MAT1 give materials. The names of other cards are kept.
// The result is not validated. Throws InputError with file and line for malformed cards, volume elements other than
// tets, and unknown nodes and coordinate systems.
MeshFile parse_nastran(const MeshSource& source);

}  // namespace sinew
