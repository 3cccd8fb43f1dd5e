// Ten-node tets: nodes on the edges of linear tets, and their division into eight linear tets.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

// Appends a vertex at the midpoint of each edge, in the order of the edges' corners, and returns the tets with ten
// nodes. O(tets log tets).
QuadraticTets with_mid_nodes(Points& vertices, const Tets& tets);

// Eight linear tets in each ten-node tet, positively oriented: the four at its corners, then four around the shortest
// diagonal of the octahedron that is left. Columns 8 t .. 8 t + 7 belong to tet t.
Tets divided(const Points& vertices, const QuadraticTets& tets);

}  // namespace sinew
