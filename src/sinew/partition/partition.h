// A division of a domain's tets into connected clusters, each with a centre.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct Domain;  // partition/domain.h

struct Partition {
  // By tet, in [0, cluster count): clusters are numbered by component and connected through faces.
  std::vector<Index> tet_cluster;
  // By cluster: a vertex near its volume centroid, free if the cluster has a free vertex. All centres of a component
  // differ.
  std::vector<Index> center;

  Index cluster_count() const { return static_cast<Index>(center.size()); }
};

struct PartitionOptions {
  std::string method = "geodesic";   // a name of partition_methods()
  Index handles = 0;                 // total number of clusters, at least one for each component; 0: natural_shares()
  double stiffness_exponent = 1;     // >= 0: see make_component()
  double interface_stiffness = 0.3;  // > 0: see make_component()
  double prune_ratio = 1.75;         // >= 1, or 0: off; see KMeansOptions
  double oversampling = 1.5;         // >= 1: see KMeansOptions
  int max_iterations = 100;          // see KMeansOptions
  std::uint64_t seed = 1;
};

struct ComponentShare {
  Index free_vertices = 0;
  Index clusters = 0;  // largest number of clusters
  Index most = 1;      // largest number that its vertices allow
};
// Returns how make_partition() distributes handles over components, without making a partition.
std::vector<ComponentShare> component_shares(const Domain& domain, const PartitionOptions& options);

// Returns the names of methods. geodesic: k-means by distances through the solid, in which stiff regions are short.
// heat: like geodesic, with distances by heat diffusion. euclidean: k-means by straight distances. metis: a balanced
// graph partition.
std::vector<std::string> partition_methods();

// Distributes half of the handles over components in proportion to size in the stiffness metric, and half in proportion
// to the number of tets. No component gets more than a quarter of its free vertices, so there may be fewer clusters in
// total. Deterministic for any number of threads. Throws InputError for an unknown method or a number out of range.
Partition make_partition(const Domain& domain, const PartitionOptions& options);

// Distributes `handles` over components, at least one for each. size > 0 and capacity >= 1 have an entry for each
// component.
std::vector<Index> share_handles(const std::vector<double>& size, const std::vector<Index>& capacity, Index handles);

}  // namespace sinew
