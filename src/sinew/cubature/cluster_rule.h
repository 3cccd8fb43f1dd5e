// Rules made cluster by cluster.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/core/random_stream.h"
#include "sinew/cubature/cubature.h"
#include "sinew/partition/partition.h"

namespace sinew {

// A rule with more points than this share of a cluster's tets gains nothing over the sum over all of them.
inline constexpr double full_share = 0.75;

struct ClusterRule {
  std::vector<double> weights;  // of each of the cluster's tets, 0 where it is left out
  Index functions = 0;
  double residual = 0;
  bool full = false, failed = false;
};

ClusterRule full_sum(std::size_t tets);

struct FittingReport {
  std::vector<Index> points;     // of each cluster
  std::vector<Index> functions;  // that its rule was fitted to
  double residual = 0;           // the largest of the clusters with a rule
  Index full_clusters = 0;       // with all of their tets: no rule of clearly fewer points
  Index failed_clusters = 0;     // of them: the fit missed its tolerance
};

// rule_of(c, tets) for each cluster c and its tets in ascending order, in parallel.
Cubature rule_by_cluster(const Partition& partition,
                         const std::function<ClusterRule(std::size_t, std::span<const Index>)>& rule_of,
                         FittingReport& report);

// Up to `count` of the indices with positive likelihood, without repetition (Efraimidis & Spirakis 2006), ascending.
std::vector<Index> draw(const VecX& likelihood, Index count, RandomStream& random);

}  // namespace sinew
