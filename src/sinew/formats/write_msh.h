// Writer of Gmsh .msh 2.2 files, text and binary.
#pragma once

#include <string>

#include "sinew/formats/write.h"

namespace sinew {

// Vertices, tets, regions and groups, or the triangles where there are no tets, with the fewest digits that read back
// to the same doubles; parse_gmsh() of the bytes gives the same vertices, tets and regions and the groups with ids
// above 0. An element in several groups is repeated, as the format asks. Dropped: cell arrays, groups whose id is not
// above 0 beside others (to Gmsh 0 is "no group").
WrittenMesh msh_bytes(const MeshFile& mesh, MeshEncoding encoding);

// Writes the text. The file appears whole or not at all. Throws SimulationError when the disk refuses.
void write_msh(const std::string& path, const TetMesh& mesh);

}  // namespace sinew
