// Pressure on faces of ten-node tets from the forces on their nodes. A constant pressure on a straight face loads only
// its three nodes on edges, each with a third of the force. The four parts of the face give each of these nodes a
// quarter of the area, and each corner a twelfth. An eighth of the force of a node on an edge therefore goes to each of
// its ends: force over area is then constant, too.
#pragma once

#include <array>
#include <map>

#include "sinew/core/types.h"

namespace sinew {

// The ends of the edge on which a node lies, by node.
using EdgeEnds = std::map<Index, std::array<Index, 2>>;

// tets: 10 x q, with nodes on edges as in tet_topology.h.
EdgeEnds edge_nodes(const QuadraticTets& tets);

// Share of the force of a node on an edge that each end gets.
inline constexpr double end_share = 0.125;

}  // namespace sinew
