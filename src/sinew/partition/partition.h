// A division of a domain's tets into connected clusters, each with a centre.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct Domain;  // partition/domain.h

struct Partition {
  std::vector<Index> tet_cluster;  // m, in [0, cluster count): by component, and connected through faces
  // A vertex of each cluster near its volume centroid, free if the cluster has a free one. Centres of a component are
  // pairwise different.
  std::vector<Index> center;

  Index cluster_count() const { return static_cast<Index>(center.size()); }
};

struct PartitionOptions {
  std::string method = "geodesic";   // a name of partition_methods()
  Index handles = 0;                 // clusters in all, at least one for each component; 0: natural_shares()
  double stiffness_exponent = 1;     // >= 0: see make_component()
  double interface_stiffness = 0.3;  // > 0: likewise
  double prune_ratio = 1.75;         // >= 1: see KMeansOptions
  double oversampling = 1.5;         // >= 1: likewise
  int max_iterations = 100;          // likewise
  std::uint64_t seed = 1;
};

struct ComponentShare {
  Index free_vertices = 0;
  Index clusters = 0;  // at most
  Index most = 1;      // clusters that its vertices allow
};
// Returns how make_partition() distributes handles over components, without making a partition.
std::vector<ComponentShare> component_shares(const Domain& domain, const PartitionOptions& options);

// Names of methods. geodesic: k-means by distances through the solid, in which stiff regions are short. heat: like
// geodesic, with distances by heat diffusion. euclidean: k-means by straight distances. metis: a balanced graph
// partition.
std::vector<std::string> partition_methods();

// Half of the handles are distributed over components in proportion to size in the stiffness metric, half in proportion
// to the number of tets. No component gets more than a quarter of its free vertices, so there may be fewer clusters in
// all. Same bits for any number of threads. Throws InputError for an unknown method or a number out of range.
Partition make_partition(const Domain& domain, const PartitionOptions& options);

// Distributes `handles` over components, at least one each. size > 0 and capacity >= 1 have an entry for each
// component.
std::vector<Index> share_handles(const std::vector<double>& size, const std::vector<Index>& capacity, Index handles);

}  // namespace sinew
