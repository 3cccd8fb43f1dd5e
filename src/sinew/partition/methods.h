// The methods that divide one component into clusters, by name.
#pragma once

#include <span>
#include <string>

#include "sinew/partition/component.h"
#include "sinew/partition/partition.h"

namespace sinew {

// A label of each tet, of about `clusters` different ones; make_clusters() sees to the rest.
using DivideComponent = std::vector<Index> (*)(const Component& component, Index clusters,
                                               const PartitionOptions& options);

std::vector<Index> divide_geodesic(const Component& component, Index clusters, const PartitionOptions& options);
std::vector<Index> divide_heat(const Component& component, Index clusters, const PartitionOptions& options);
std::vector<Index> divide_euclidean(const Component& component, Index clusters, const PartitionOptions& options);
std::vector<Index> divide_metis(const Component& component, Index clusters, const PartitionOptions& options);

struct PartitionMethod {
  const char* name;
  DivideComponent divide;
};

std::span<const PartitionMethod> partition_method_table();

}  // namespace sinew
