// The smallest distance of two surfaces.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

// Returns the smallest distance [m] of the triangles a and b at positions x; infinity if a side has none. Surfaces
// that cross count as far apart as their nearest vertices, edges and faces. O(n log n) by a tree of b's boxes.
double surface_gap(const Points& x, const Triangles& a, const Triangles& b);

}  // namespace sinew
