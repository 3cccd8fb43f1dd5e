// Elements of higher order are read by their corners; the nodes between the corners are no vertices of the mesh.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Takes out the nodes of file.mid_nodes that are no corner of any element. The others keep their order.
// Returns how many there were.
Index drop_mid_nodes(MeshFile& file);

}  // namespace sinew
