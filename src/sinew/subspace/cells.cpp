#include "sinew/subspace/cells.h"

#include <algorithm>

namespace sinew {
namespace {

Vec3 corner_sum(const Domain& domain, Index t) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < 4; ++i) sum += domain.vertices.col(domain.tets(i, t));
  return sum;
}

// Halves a set of tets at the median barycentre along the longest extent until each part is small enough, and appends
// the parts as cells. Reorders the tets; O(n log n).
void bisect(const Domain& domain, std::span<Index> tets, std::size_t limit, Index cluster, Cells& cells) {
  if (tets.size() <= limit) {
    for (Index t : tets) cells.tet_cell[t] = cells.cell_count();
    cells.cell_cluster.push_back(cluster);
    return;
  }
  Eigen::AlignedBox3d box;
  for (Index t : tets) box.extend(corner_sum(domain, t));
  int axis = 0;
  box.sizes().maxCoeff(&axis);
  const auto middle = tets.begin() + static_cast<std::ptrdiff_t>(tets.size() / 2);
  std::nth_element(tets.begin(), middle, tets.end(), [&](Index a, Index b) {
    const double x = corner_sum(domain, a)[axis], y = corner_sum(domain, b)[axis];
    return x != y ? x < y : a < b;
  });
  bisect(domain, tets.first(tets.size() / 2), limit, cluster, cells);
  bisect(domain, tets.subspan(tets.size() / 2), limit, cluster, cells);
}

}  // namespace

// Cells are clusters; those much larger than the mean are cut in two, repeatedly.
Cells make_cells(const Domain& domain, const Partition& partition) {
  Cells cells;
  cells.tet_cell.resize(domain.tet_count());
  IndexLists tets = grouped(partition.tet_cluster, partition.cluster_count());
  // The mean is taken within each component: small bodies in the scene do not make a body's clusters count as large.
  std::vector<std::size_t> component_tets(domain.component_count, 0), component_clusters(domain.component_count, 0);
  for (Index t = 0; t < domain.tet_count(); ++t) ++component_tets[domain.component[t]];
  for (Index c = 0; c < partition.cluster_count(); ++c) ++component_clusters[domain.component[tets[c].front()]];
  for (Index c = 0; c < partition.cluster_count(); ++c) {
    const std::span<Index> own(tets.items.data() + tets.begin[c], tets.items.data() + tets.begin[c + 1]);
    const Index component = domain.component[own.front()];
    const std::size_t mean = component_tets[component] / component_clusters[component] + 1;
    bisect(domain, own, large_cluster * mean, c, cells);
  }
  cells.cluster_cells = grouped(cells.cell_cluster, partition.cluster_count());
  return cells;
}

}  // namespace sinew
