// Writes meshes as VTK XML unstructured grids (.vtu).
#pragma once

#include "sinew/formats/write.h"

namespace sinew {

// Returns a file with points, tets, regions (cell array "region", unless all are 0) and cell arrays, or with points and
// triangles if there are no tets. Arrays are text or base64. parse_vtu() of the bytes restores the mesh. Dropped:
// groups, except a region without a name, and a cell array called "region" with other values.
WrittenMesh vtu_bytes(const MeshFile& mesh, MeshEncoding encoding);

}  // namespace sinew
