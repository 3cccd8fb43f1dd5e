// Builds a rule cluster by cluster.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/core/random_stream.h"
#include "sinew/cubature/cubature.h"
#include "sinew/partition/partition.h"

namespace sinew {

// A rule with more points than this share of a cluster's tets is no cheaper than the full sum.
inline constexpr double full_share = 0.75;

struct ClusterRule {
  std::vector<double> weights;  // of each tet of the cluster, 0 if left out
  Index functions = 0;
  double residual = 0;
  bool full = false, failed = false;
};

ClusterRule full_sum(std::size_t tets);

struct FittingReport {
  std::vector<Index> points;     // of each cluster
  std::vector<Index> functions;  // that its rule was fitted to
  double residual = 0;           // the largest of the clusters with a rule
  Index full_clusters = 0;       // clusters that keep all of their tets
  Index failed_clusters = 0;     // full clusters whose fit missed its tolerance
};

// Joins rule_of(c, tets) of each cluster c, with tets in ascending order. Parallel.
Cubature rule_by_cluster(const Partition& partition,
                         const std::function<ClusterRule(std::size_t, std::span<const Index>)>& rule_of,
                         FittingReport& report);

// Draws up to `count` indices with positive likelihood without repetition (Efraimidis & Spirakis 2006), ascending.
std::vector<Index> draw(const VecX& likelihood, Index count, RandomStream& random);

}  // namespace sinew
