// Writer of Gmsh .msh 2.2 files, text and binary.
#pragma once

#include <string>

#include "sinew/formats/write.h"

namespace sinew {

// Vertices, tets, regions and groups, or triangles if there are no tets. Numbers have the fewest digits that give the
// same doubles. parse_gmsh() of the bytes restores vertices, tets, regions, and groups with ids above 0. An element in
// several groups is repeated, as the format asks. Dropped: cell arrays, and groups with an id of 0 or below if there
// are others (in Gmsh, 0 is "no group").
WrittenMesh msh_bytes(const MeshFile& mesh, MeshEncoding encoding);

// Writes the text. The file appears whole or not at all. Throws SimulationError when the disk refuses.
void write_msh(const std::string& path, const TetMesh& mesh);

}  // namespace sinew
