// Cells: the units of which subdomains of handles consist. A cell is a cluster or part of a very large one. With whole
// clusters, the subdomain of each small neighbour would contain all of a large cluster, and the work would grow with
// the square of the mesh size.
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

inline constexpr Index large_cluster = 8;  // in units of the component's mean cluster

// Halves clusters of more tets than large_cluster times the mean along their longest extent until they are small
// enough. Every other cluster is a cell.
Cells make_cells(const Domain& domain, const Partition& partition);

}  // namespace sinew
