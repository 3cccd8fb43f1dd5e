// Ten-node tets: nodes on the edges of linear tets, and their division into eight linear tets.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

// The corners of each node on an edge, node 4 + e: the order of VTK and of Abaqus' C3D10.
inline constexpr int quadratic_edge_corners[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};

// Appends a vertex at the midpoint of each edge, in the order of the edges' corners, and returns the tets with ten
// nodes. O(tets log tets).
QuadraticTets with_mid_nodes(Points& vertices, const Tets& tets);

// Eight linear tets in each ten-node tet, positively oriented: the four at its corners, then four around the shortest
// diagonal of the octahedron that is left. Columns 8 t .. 8 t + 7 belong to tet t.
Tets divided(const Points& vertices, const QuadraticTets& tets);

}  // namespace sinew
