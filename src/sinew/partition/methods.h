// The methods, by name, that divide one component into clusters.
#pragma once

#include <span>
#include <string>

#include "sinew/partition/component.h"
#include "sinew/partition/partition.h"

namespace sinew {

// Labels the tets with about `clusters` different labels. make_clusters() then makes connected clusters.
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
