// The pieces that the subdomains of handles consist of: clusters, of which those much larger than the others are cut
// up. Without this the subdomain of each small cluster next to a large one would hold all of the large one, and the
// work would grow with the square of the mesh.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {

struct Cells {
  std::vector<Index> tet_cell;      // m
  std::vector<Index> cell_cluster;  // ascending
  IndexLists cluster_cells;

  Index cell_count() const { return static_cast<Index>(cell_cluster.size()); }
};

inline constexpr Index large_cluster = 8;  // in mean clusters of the component

// Clusters of more tets than large_cluster times the mean are halved along their longest extent until they are not;
// all others are a cell each.
Cells make_cells(const Domain& domain, const Partition& partition);

}  // namespace sinew
