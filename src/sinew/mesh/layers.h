// Counts the layers of tets across a solid, place by place.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

inline constexpr int most_layers = 8;

// By tet of a solid, whose boundary is that of the given tets: 1 to most_layers, which stands for that many or more.
//
// The depth of a vertex is its distance from the boundary in edges. In a slab of 2 D layers the middle vertices have
// depth D; in one of 2 D + 1 layers the middle tets have all four vertices at depth D. A place has L layers if such a
// vertex or tet is at most L edges away. L / 2 edges lead to the surface; as many again allow for edges and corners of
// a solid, where the way is longer than the depth. A thin part on a thick one therefore counts as thin beyond its root.
// Costs 40 passes over the tets.
std::vector<int> tet_layers(const Tets& tets, Index vertex_count);

}  // namespace sinew
