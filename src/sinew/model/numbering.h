// Renumbering of vertices for locality of memory.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// The given vertices in the order of a Hilbert curve through their bounding cube (2^20 cells a side; vertices of one
// cell by id). Depends only on coordinates relative to that cube, so scaling by a power of two changes nothing.
std::vector<Index> hilbert_order(const Points& points, const std::vector<Index>& vertices);

}  // namespace sinew
