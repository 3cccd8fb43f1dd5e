// Reads the meshes of I-deas universal files (.unv). Source: SDRC, "Universal File Datasets"; groups as Salome and Gmsh
// write them.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns the mesh of a file: nodes (datasets 15, 781, 2411), and tets, triangles and quadrangles of first and second
// order (780, 2412). Groups with names come from 2417, 2429, 2430, 2432, 2435, 2452, 2467 and 2477. Dataset 164 gives
// the unit of length: coordinates become meters, and a note says so. The region of a tet is the number of the first
// group of tets that holds it; in files without such groups, it is the number of its material. The numbers of other
// datasets are kept. The result is not validated. Throws InputError with file and line for malformed or truncated data,
// volume elements other than tets, unknown nodes, and nodes in a coordinate system other than the global one.
MeshFile parse_unv(const MeshSource& source);

}  // namespace sinew
