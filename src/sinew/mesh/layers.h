// Counts, for each tet, the layers of tets across a solid.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

inline constexpr int most_layers = 8;

// Returns, for each tet of a solid, 1 to most_layers; the latter means that many or more. The boundary of the solid is
// that of `tets`.
//
// The depth of a vertex is its distance from the boundary in edges. In a slab of 2 D layers the middle vertices have
// depth D. In a slab of 2 D + 1 layers the middle tets have four vertices at depth D. A tet has L layers if such a
// vertex or tet is at most L edges away. L / 2 of these edges lead to the surface. As many again allow for edges and
// corners of a solid, where the path is longer than the depth. A thin part on a thick one therefore counts as thin a
// little beyond its root. Costs 40 passes over the tets.
std::vector<int> tet_layers(const Tets& tets, Index vertex_count);

}  // namespace sinew
