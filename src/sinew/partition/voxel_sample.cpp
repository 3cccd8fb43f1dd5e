#include "sinew/partition/voxel_sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace sinew {
namespace {

constexpr double finer = 0.9;           // an edge of cubes over the one tried before
constexpr double smallest_edge = 1e-6;  // of the largest extent

struct Box {
  Index nearest = -1;
  double distance = 0, weight = 0;
};

using Boxes = std::map<std::array<int, 3>, Box>;

Boxes boxes(const Points& places, const VecX& weight, const Vec3& low, double edge) {
  Boxes result;
  for (Index i = 0; i < places.cols(); ++i) {
    const Vec3 at = (places.col(i) - low) / edge;
    const std::array<int, 3> cube{static_cast<int>(at[0]), static_cast<int>(at[1]), static_cast<int>(at[2])};
    const double distance = (at - Vec3(cube[0] + 0.5, cube[1] + 0.5, cube[2] + 0.5)).squaredNorm();
    Box& box = result[cube];
    box.weight += weight[i];
    if (box.nearest >= 0 && !(distance < box.distance)) continue;
    box.nearest = i;
    box.distance = distance;
  }
  return result;
}

}  // namespace

VoxelSample voxel_sample(const Points& places, const VecX& weight, Index wanted) {
  VoxelSample sample;
  if (places.cols() == 0) return sample;
  wanted = std::min(wanted, static_cast<Index>(places.cols()));
  const Vec3 low = places.rowwise().minCoeff(), size = places.rowwise().maxCoeff() - low;
  // A box of that many cubes, were it full.
  double edge = std::cbrt(std::max(size[0], 1e-3 * size.maxCoeff()) * std::max(size[1], 1e-3 * size.maxCoeff()) *
                          std::max(size[2], 1e-3 * size.maxCoeff()) / wanted);
  if (!(edge > 0)) {  // all places coincide
    sample.chosen = {0};
    sample.share = {weight.sum()};
    return sample;
  }
  Boxes found = boxes(places, weight, low, edge);
  while (static_cast<Index>(found.size()) < wanted && edge > smallest_edge * size.maxCoeff()) {
    edge *= finer;
    found = boxes(places, weight, low, edge);
  }
  std::vector<std::pair<Index, double>> chosen;
  for (const auto& [cube, box] : found) chosen.emplace_back(box.nearest, box.weight);
  std::ranges::sort(chosen);
  for (const auto& [place, share] : chosen) {
    sample.chosen.push_back(place);
    sample.share.push_back(share);
  }
  return sample;
}

}  // namespace sinew
