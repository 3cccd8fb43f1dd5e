// Removes mid-nodes: only the corners of elements of higher order are read, so nodes between corners are not vertices.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Removes the nodes of file.mid_nodes that are not a corner of any element. The others keep their order. Returns the
// number of removed nodes.
Index drop_mid_nodes(MeshFile& file);

}  // namespace sinew
