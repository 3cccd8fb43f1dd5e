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
  double oversampling = 1.5;  // clusters at the start, in units of `clusters`
  double prune_ratio = 1.75;  // clusters this much smaller than the median may be removed, down to `clusters`
  int prune_interval = 10;    // iterations
  int max_iterations = 100;
  double least_gain = 1e-3;  // least decrease in an iteration, relative to the sum of size times squared distance
  std::uint64_t seed = 1;
};

KMeansOptions kmeans_options(Index clusters, const PartitionOptions& options);

// Returns the centre vertices of the clusters, at most options.clusters. Afterwards `distances` holds the distances to
// them. size: measure of each vertex for seeding and pruning; 0 forbids a centre. Deterministic.
std::vector<Index> kmeans_centers(const Component& component, const VecX& size, SourceDistances& distances,
                                  const KMeansOptions& options);

}  // namespace sinew
