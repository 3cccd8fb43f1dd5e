// Samples points evenly over a body: one in each cube of a grid (EP, section 4.2: the open Newton-Cotes rule).
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct VoxelSample {
  std::vector<Index> chosen;  // the point nearest to the centre of each occupied cube, ascending
  std::vector<double> share;  // sum of the weights in that cube
};

// places: 3 x n [m]. weight: n. At least min(wanted, n) cubes are occupied, unless points coincide. O(n) for each
// tested cube size.
VoxelSample voxel_sample(const Points& places, const VecX& weight, Index wanted);

}  // namespace sinew
