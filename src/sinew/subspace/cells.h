// Cells: the units that make up subdomains of handles. A cell is a cluster or a part of a very large cluster. With
// whole clusters, the subdomain of each small neighbour would contain all of a large cluster, and the work would grow
// with the square of the mesh size.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {

struct Cells {
  std::vector<Index> tet_cell;      // by tet
  std::vector<Index> cell_cluster;  // by cell, ascending
  IndexLists cluster_cells;

  Index cell_count() const { return static_cast<Index>(cell_cluster.size()); }
};

inline constexpr Index large_cluster = 8;  // limit of a cell's tets, in units of the mean over the component's clusters

// Halves clusters with more tets than large_cluster times the mean along their longest extent until they are small
// enough. Every other cluster is one cell.
Cells make_cells(const Domain& domain, const Partition& partition);

}  // namespace sinew
