// K-means over the vertices of a component by Lloyd's relaxation in any metric.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/partition/component.h"
#include "sinew/partition/partition.h"
#include "sinew/partition/source_distances.h"

namespace sinew {

struct KMeansOptions {
  Index clusters = 1;
  double oversampling = 1.5;  // initial number of clusters over `clusters`
  // Clusters smaller than the median by this factor may be removed, down to `clusters`. 0: plain k-means, which starts
  // with `clusters` and removes none.
  double prune_ratio = 1.75;
  int prune_interval = 10;  // iterations between removals
  int max_iterations = 100;
  double least_gain = 1e-3;  // smallest decrease in an iteration, relative to the sum of size times squared distance
  std::uint64_t seed = 1;
};

KMeansOptions kmeans_options(Index clusters, const PartitionOptions& options);

// Returns the centre vertices of the clusters, at most options.clusters. Afterwards `distances` has the distances to
// these centres. size: measure of each vertex for seeding and pruning; a vertex with size 0 is never a centre.
// Deterministic.
std::vector<Index> kmeans_centers(const Component& component, const VecX& size, SourceDistances& distances,
                                  const KMeansOptions& options);

}  // namespace sinew
