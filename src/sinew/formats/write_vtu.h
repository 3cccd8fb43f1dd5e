// Writer of meshes as VTK XML unstructured grids (.vtu).
#pragma once

#include "sinew/formats/write.h"

namespace sinew {

// Points, tets, the regions (as the cell array "region", where they are not all 0) and the cell arrays, or points and
// triangles where there are no tets; text, or base64. parse_vtu() of the bytes gives the same. Dropped: groups that are
// not a region without a name, and a cell array that has the name of the regions and other values.
WrittenMesh vtu_bytes(const MeshFile& mesh, MeshEncoding encoding);

}  // namespace sinew
