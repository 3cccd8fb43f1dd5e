// TetGen meshes: nodes in NAME.node, tets in NAME.ele and, where there is one, boundary triangles in NAME.face.
// Source: TetGen 1.6 manual, "File formats".
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// The mesh of a pair, given either of the two files; the others are asked for by name. Numbers count from 0 or from 1,
// as the first node says; vertices keep the order of the file. The attributes of tets become the cell_fields
// attribute1, attribute2, ...; the first, where it is a whole number, gives regions and groups of dimension 3. The
// markers of .face give groups of dimension 2. Attributes and markers of nodes are passed over. Tets of ten nodes keep
// their corners. The result is not validated. Throws InputError with file and line: a file of the pair is missing,
// malformed or truncated text, nodes of dimension 2 or out of order.
MeshFile parse_tetgen(const MeshSource& source);

}  // namespace sinew
