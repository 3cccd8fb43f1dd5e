// Writes Gmsh .msh 2.2 files, text and binary.
#pragma once

#include <string>

#include "sinew/formats/write.h"

namespace sinew {

// Returns a file with vertices, tets, regions and groups, or with triangles if there are no tets. Numbers have the
// fewest digits that give the same doubles. Tets have ten nodes if all edges have mid-nodes. parse_gmsh() of the bytes
// restores vertices, tets, regions, and groups with ids above 0. An element in several groups is repeated, as the
// format requires. Dropped: cell arrays, and groups with an id of 0 or below if there are others (in Gmsh, 0 is "no
// group").
WrittenMesh msh_bytes(const MeshFile& mesh, MeshEncoding encoding);

// Writes the text to a file, whole or not at all. Throws SimulationError if writing fails.
void write_msh(const std::string& path, const TetMesh& mesh);

}  // namespace sinew
