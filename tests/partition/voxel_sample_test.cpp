#include "sinew/partition/voxel_sample.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(VoxelSample, SharesOutTheWhole) {
  std::srand(3);
  const Points places = Points::Random(3, 5000);
  const VecX weight = VecX::Random(5000).cwiseAbs();
  for (const Index wanted : {1, 10, 100, 1000, 5000, 9000}) {
    const VoxelSample sample = voxel_sample(places, weight, wanted);
    EXPECT_GE(static_cast<Index>(sample.chosen.size()), std::min(wanted, 5000));
    EXPECT_TRUE(std::ranges::is_sorted(sample.chosen));
    EXPECT_EQ(std::ranges::adjacent_find(sample.chosen), sample.chosen.end());
    double sum = 0;
    for (const double share : sample.share) sum += share;
    EXPECT_NEAR(sum, weight.sum(), 1e-11 * weight.sum());
    if (wanted <= 1000) EXPECT_LT(static_cast<Index>(sample.chosen.size()), 2 * wanted + 8);
  }
}

// A sheet, a line, a point, and places that coincide.
TEST(VoxelSample, FlatSetsOfPlaces) {
  Points places = Points::Random(3, 1000);
  for (int axis = 0; axis < 3; ++axis) {
    places.row(axis).setConstant(7);
    const VoxelSample sample = voxel_sample(places, VecX::Ones(1000), 50);
    EXPECT_GE(sample.chosen.size(), axis < 2 ? 50u : 1u);
  }
  EXPECT_TRUE(voxel_sample(Points(3, 0), VecX(0), 5).chosen.empty());
}

}  // namespace
}  // namespace sinew
