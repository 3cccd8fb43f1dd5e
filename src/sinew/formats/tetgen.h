// Reads TetGen meshes: nodes in NAME.node, tets in NAME.ele and, if it exists, boundary triangles in NAME.face.
// Source: TetGen 1.6 manual, "File formats".
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns the mesh of these files, given NAME.node or NAME.ele; the others are found by name. Numbers count from 0 or
// from 1, as the first node says. Vertices keep the order of the file. The attributes of tets become the cell_fields
// attribute1, attribute2, ...; if the first is a whole number, it gives regions and groups of dimension 3. The markers
// of .face give groups of dimension 2. Attributes and markers of nodes are ignored. Tets with ten nodes keep only their
// corners. The result is not validated. Throws InputError with file and line if a file is missing, for malformed or
// truncated text, and for nodes of dimension 2 or out of order.
MeshFile parse_tetgen(const MeshSource& source);

}  // namespace sinew
