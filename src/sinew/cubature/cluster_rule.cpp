#include "sinew/cubature/cluster_rule.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/activity.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// The tets of each cluster, ascending: those of cluster c are [begin[c], begin[c + 1]).
struct ClusterTets {
  std::vector<std::size_t> begin;
  std::vector<Index> tets;
  std::span<const Index> of(std::size_t c) const { return std::span(tets).subspan(begin[c], begin[c + 1] - begin[c]); }
};

ClusterTets tets_by_cluster(const Partition& partition) {
  ClusterTets lists;
  lists.begin.assign(partition.cluster_count() + 1, 0);
  for (const Index c : partition.tet_cluster) ++lists.begin[c + 1];
  for (std::size_t c = 1; c < lists.begin.size(); ++c) lists.begin[c] += lists.begin[c - 1];
  std::vector<std::size_t> next(lists.begin.begin(), lists.begin.end() - 1);
  lists.tets.resize(partition.tet_cluster.size());
  for (std::size_t e = 0; e < lists.tets.size(); ++e)
    lists.tets[next[partition.tet_cluster[e]]++] = static_cast<Index>(e);
  return lists;
}

}  // namespace

ClusterRule full_sum(std::size_t tets) {
  ClusterRule rule;
  rule.weights.assign(tets, 1.0);
  rule.functions = static_cast<Index>(tets);
  rule.full = true;
  return rule;
}

// Weighted sampling without replacement (Efraimidis and Spirakis 2006): the `count` smallest of the keys -ln(u_k) / p_k
// with uniform u_k.
std::vector<Index> draw(const VecX& likelihood, Index count, RandomStream& random) {
  std::vector<std::pair<double, Index>> keys;
  for (Index k = 0; k < likelihood.size(); ++k) {
    const double u = random.uniform();
    if (likelihood[k] > 0) keys.emplace_back(-std::log(u) / likelihood[k], k);
  }
  const auto taken = std::min(keys.size(), static_cast<std::size_t>(count));
  std::nth_element(keys.begin(), keys.begin() + taken, keys.end());
  std::vector<Index> drawn(taken);
  for (std::size_t k = 0; k < taken; ++k) drawn[k] = keys[k].second;
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

// Makes the rule of each cluster in parallel, then lists the tets with positive weights in ascending order.
Cubature rule_by_cluster(const Partition& partition,
                         const std::function<ClusterRule(std::size_t, std::span<const Index>)>& rule_of,
                         FittingReport& report) {
  const ClusterTets clusters = tets_by_cluster(partition);
  const auto count = static_cast<std::size_t>(partition.cluster_count());
  std::vector<ClusterRule> rules(count);
  parallel_for(
      count,
      [&](std::size_t c) {
        rules[c] = rule_of(c, clusters.of(c));
        activity::advance();
      },
      1);

  report = {};
  std::vector<double> weight(partition.tet_cluster.size(), 0.0);
  for (std::size_t c = 0; c < count; ++c) {
    const std::span<const Index> tets = clusters.of(c);
    Index points = 0;
    for (std::size_t k = 0; k < tets.size(); ++k) {
      weight[tets[k]] = rules[c].weights[k];
      points += rules[c].weights[k] > 0;
    }
    report.points.push_back(points);
    report.functions.push_back(rules[c].functions);
    report.residual = std::max(report.residual, rules[c].residual);
    report.full_clusters += rules[c].full;
    report.failed_clusters += rules[c].failed;
  }
  Cubature cubature;
  for (std::size_t e = 0; e < weight.size(); ++e) {
    if (!(weight[e] > 0)) continue;
    cubature.tets.push_back(static_cast<Index>(e));
    cubature.weights.push_back(weight[e]);
  }
  return cubature;
}

}  // namespace sinew
