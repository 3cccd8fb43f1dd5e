// Writes meshes as I-deas universal files (.unv).
#pragma once

#include "sinew/formats/write.h"

namespace sinew {

// Returns a file with units (dataset 164: SI), nodes (2411), tets and triangles (2412: kinds 111 or 118, and 91; the
// region of a tet is its material), and groups (2467). parse_unv() of the bytes restores vertices, tets, regions above
// 0, and groups. Numbers of groups differ between dimensions: those in use already are changed. Coordinates are exact.
// Dropped: cell arrays.
WrittenMesh unv_bytes(const MeshFile& mesh, MeshEncoding encoding);

}  // namespace sinew
