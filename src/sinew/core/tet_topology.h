// Edges of tets, and the nodes on them.
#pragma once

#include <array>

namespace sinew {

// The edges of a tet, by its vertices.
inline constexpr std::array<std::array<int, 2>, 6> tet_edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

// The corners of each node on an edge of a ten-node tet, node 4 + e: the order of VTK and of Abaqus' C3D10.
inline constexpr std::array<std::array<int, 2>, 6> quadratic_tet_edges{
    {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};

}  // namespace sinew
