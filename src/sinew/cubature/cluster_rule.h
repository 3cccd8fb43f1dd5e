// Builds a cubature rule cluster by cluster.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/core/random_stream.h"
#include "sinew/cubature/cubature.h"
#include "sinew/partition/partition.h"

namespace sinew {

// A rule with more points than this share of a cluster's tets does not pay off against the full sum.
inline constexpr double full_share = 0.75;

struct ClusterRule {
  std::vector<double> weights;  // by tet of the cluster; 0: left out
  Index functions = 0;
  double residual = 0;
  bool full = false, failed = false;
};

ClusterRule full_sum(std::size_t tets);

struct FittingReport {
  std::vector<Index> points;     // number of points of each cluster
  std::vector<Index> functions;  // number of functions to which each cluster's rule was fitted
  double residual = 0;           // largest residual of the clusters with a rule
  Index full_clusters = 0;       // clusters that keep all of their tets
  Index failed_clusters = 0;     // those of them whose fit missed its tolerance
};

// Joins the rules rule_of(c, tets) of all clusters c, with tets in ascending order. Calls them in parallel.
Cubature rule_by_cluster(const Partition& partition,
                         const std::function<ClusterRule(std::size_t, std::span<const Index>)>& rule_of,
                         FittingReport& report);

// Draws up to `count` indices without repetition, with probabilities according to `likelihood` (Efraimidis & Spirakis
// 2006), and returns them in ascending order. Indices with zero likelihood are not drawn.
std::vector<Index> draw(const VecX& likelihood, Index count, RandomStream& random);

}  // namespace sinew
