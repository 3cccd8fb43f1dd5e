// Makes the surface of a terrain from a grid of heights.
#pragma once

#include "sinew/mesh/primitives.h"

namespace sinew {

// A sheet (make_sheet) of size[0] x size[1] [m] whose vertices are moved along `up` by their heights [m]. `heights` has
// at least two rows and columns. Columns count along the first side, rows along the second. Vertices are numbered row
// by row.
TriMesh make_heightfield(const MatX& heights, const std::array<double, 2>& size, Axis up = Axis::y);

}  // namespace sinew
