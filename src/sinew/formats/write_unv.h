// Writes meshes as I-deas universal files (.unv).
#pragma once

#include "sinew/formats/write.h"

namespace sinew {

// Returns a file with units (dataset 164: SI), nodes (2411), tets and triangles (2412), and groups (2467). The region
// of a tet is its material. parse_unv() of the bytes restores vertices, tets, regions above 0, and groups. Numbers of
// groups differ between dimensions: those in use already are changed. Coordinates are exact. Dropped: cell arrays.
WrittenMesh unv_bytes(const MeshFile& mesh, MeshEncoding encoding);

}  // namespace sinew
