// Places spread evenly over a body: one in each box of a grid of cubes (EP, section 4.2: the open Newton-Cotes rule).
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct VoxelSample {
  std::vector<Index> chosen;  // of each box with places, the one nearest to its centre; ascending
  std::vector<double> share;  // the sum of what all places of the box weigh
};

// places: 3 x n [m]; weight: n. Cubes so small that at least min(wanted, n) of them hold places, as far as places
// differ. O(n) for each size of cubes that is tried.
VoxelSample voxel_sample(const Points& places, const VecX& weight, Index wanted);

}  // namespace sinew
