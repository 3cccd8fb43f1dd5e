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

// Returns the ten-node tets of a mesh if each edge has a node in mesh.mid_nodes, else none. Nodes on edges are numbered
// after the vertices, in the order of mesh.mid_nodes; their order in a tet is quadratic_tet_edges.
QuadraticTets ten_node_tets(const TetMesh& mesh);

// Returns the vertices of a group, then the nodes, numbered as above, on edges with both ends in the group.
std::vector<Index> with_nodes_between(const TetMesh& mesh, const std::vector<Index>& vertices);

}  // namespace sinew
