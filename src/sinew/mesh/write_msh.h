// Writer of Gmsh .msh 2.2 ASCII files.
#pragma once

#include <string>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// Writes vertices, tets, regions and groups with the fewest digits that read back to the same doubles; read_gmsh() of
// the file gives the same vertices, tets, regions and groups. A tet in several groups is repeated, as the format asks.
// The file appears whole or not at all. Throws SimulationError when the disk refuses.
void write_msh(const std::string& path, const TetMesh& mesh);

}  // namespace sinew
