// Pressure on faces of ten-node tets from the forces on their nodes. A constant pressure on a straight face loads its
// nodes on edges alone, each with a third of the force, while the four parts of the face give a node on an edge a
// quarter of the area, and a corner a twelfth. An eighth of the force of a node on an edge therefore belongs to each of
// its ends, so that constant pressure has force over area everywhere.
#pragma once

#include <array>
#include <map>

#include "sinew/core/types.h"

namespace sinew {

// The ends of the edge on which a node lies, by node.
using EdgeNodes = std::map<Index, std::array<Index, 2>>;

// tets: 10 x q, with nodes on edges as in tet_topology.h.
EdgeNodes edge_nodes(const QuadraticTets& tets);

// Share of the force of a node on an edge that each end gets.
inline constexpr double end_share = 0.125;

}  // namespace sinew
