// Renumbers vertices so that near vertices are near in memory.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// Returns the vertices in the order of a Hilbert curve through their bounding cube, with 2^20 cells along each side.
// Vertices in one cell are ordered by id. The order depends only on coordinates relative to that cube, so scaling by a
// power of two changes nothing.
std::vector<Index> hilbert_order(const Points& points, const std::vector<Index>& vertices);

}  // namespace sinew
