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
  // A vertex of each cluster, near its volume centroid: a free one where it has any. No two clusters of a component
  // have the same.
  std::vector<Index> center;

  Index cluster_count() const { return static_cast<Index>(center.size()); }
};

struct PartitionOptions {
  std::string method = "geodesic";   // a name of partition_methods()
  Index handles = 0;                 // clusters in all; each component has one at least; 0: see natural_shares()
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
// How make_partition() shares handles out, by component. Needs no partition.
std::vector<ComponentShare> component_shares(const Domain& domain, const PartitionOptions& options);

// geodesic: k-means by distances through the solid in which stiff regions are short; heat: the same by heat diffusion;
// euclidean: k-means by straight distances; metis: a balanced graph partition.
std::vector<std::string> partition_methods();

// Handles that are given are shared out over the components half in proportion to their size in units of their
// stiffness, half to their tets; none gets more than a quarter of its free vertices, so that there may be fewer
// clusters in all. Same bits for any number of threads. Throws InputError for an unknown method or a number out of its
// range.
Partition make_partition(const Domain& domain, const PartitionOptions& options);

// How many clusters each component is to have: `handles` in all, or one each where those are fewer. size: > 0,
// capacity: >= 1, one a component.
std::vector<Index> share_handles(const std::vector<double>& size, const std::vector<Index>& capacity, Index handles);

}  // namespace sinew
