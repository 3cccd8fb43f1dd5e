// How many layers of tets a solid has across, place by place.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

inline constexpr int most_layers = 8;

// By tet of a solid, whose boundary is that of the given tets: 1 to most_layers, which stands for that many or more.
//
// The depth of a vertex is its distance from the boundary in edges. Where a slab has 2 D layers its middle vertices
// have depth D; where it has 2 D + 1, the middle tets have all four vertices at depth D. A place has L layers when such
// a vertex or tet is not more than L edges away: L / 2 for the way to the surface, and as many again because at edges
// and corners of a solid the way is longer than the depth. So a thin part that hangs on a thick one counts as thin
// beyond its root. Costs 40 passes over the tets.
std::vector<int> tet_layers(const Tets& tets, Index vertex_count);

}  // namespace sinew
