#include "sinew/mesh/layers.h"

#include <algorithm>

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// Distances from the vertices with distance 0 in edges, up to `reach`; `reach` + 1: farther than that.
void spread(const Tets& tets, int reach, std::vector<int>& distance) {
  for (int d = 0; d < reach; ++d) {
    for (Eigen::Index t = 0; t < tets.cols(); ++t) {
      const auto tet = tets.col(t);
      const bool touched = std::any_of(tet.begin(), tet.end(), [&](Index v) { return distance[v] == d; });
      if (!touched) continue;
      for (const Index v : tet) distance[v] = std::min(distance[v], d + 1);
    }
  }
}

// Distances from the boundary, up to `reach`, which stands for that and more.
std::vector<int> depths(const Tets& tets, Index vertex_count, int reach) {
  std::vector<int> depth(static_cast<std::size_t>(vertex_count), reach);
  const Tets neighbours = tet_neighbours(tets);
  for (Eigen::Index t = 0; t < tets.cols(); ++t) {
    for (int face = 0; face < 4; ++face) {
      if (neighbours(face, t) >= 0) continue;
      for (int k = 0; k < 4; ++k)
        if (k != face) depth[tets(k, t)] = 0;
    }
  }
  spread(tets, reach - 1, depth);
  return depth;
}

}  // namespace

std::vector<int> tet_layers(const Tets& tets, Index vertex_count) {
  std::vector<int> layers(static_cast<std::size_t>(tets.cols()), 1);
  const std::vector<int> depth = depths(tets, vertex_count, most_layers / 2);
  std::vector<int> distance(depth.size());
  for (int count = 2; count <= most_layers; ++count) {
    const bool odd = count % 2 == 1;
    bool any = false;
    std::fill(distance.begin(), distance.end(), count + 1);
    for (Eigen::Index t = 0; t < tets.cols(); ++t) {
      const auto tet = tets.col(t);
      const auto deep = [&](Index v) { return depth[v] >= count / 2; };
      if (odd && !std::all_of(tet.begin(), tet.end(), deep)) continue;
      for (const Index v : tet) {
        if (!deep(v)) continue;
        distance[v] = 0;
        any = true;
      }
    }
    if (!any) break;
    spread(tets, count, distance);
    for (Eigen::Index t = 0; t < tets.cols(); ++t) {
      const auto tet = tets.col(t);
      if (std::all_of(tet.begin(), tet.end(), [&](Index v) { return distance[v] <= count; })) layers[t] = count;
    }
  }
  return layers;
}

}  // namespace sinew
