// Removes mid-nodes: the corners of elements of higher order are read, so nodes between corners are not vertices.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Moves the places of the mid-nodes of tets of second order to file.volume.mid_nodes. Formats order the nodes of a tet
// differently: each belongs to the edge with the nearest midpoint.
//
// Then removes the nodes of file.mid_nodes that are not a corner of any element. The others keep their order. Returns
// the number of removed nodes.
Index drop_mid_nodes(MeshFile& file);

}  // namespace sinew
