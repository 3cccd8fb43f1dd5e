#include "sinew/cubature/moment_fitting.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/cubature/random_stream.h"
#include "sinew/linalg/nnls.h"

namespace sinew {
namespace {

constexpr double full_share = 0.75;  // of a cluster's tets: a rule of more points gains nothing over the sum

struct ClusterRule {
  std::vector<double> weights;  // of each of the cluster's tets, 0 where it is left out
  Index functions = 0;
  double residual = 0;
  bool full = false, failed = false;
};

ClusterRule full_sum(std::size_t tets) {
  ClusterRule rule;
  rule.weights.assign(tets, 1.0);
  rule.functions = static_cast<Index>(tets);
  rule.full = true;
  return rule;
}

// Up to `count` of the indices with positive likelihood, without repetition (Efraimidis & Spirakis 2006), ascending.
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

// Q: n x r, orthonormal functions at the n tets, s their root shares of the volume.
ClusterRule fit(const MatX& Q, const VecX& s, double tolerance, RandomStream random) {
  const auto n = static_cast<Index>(Q.rows()), r = static_cast<Index>(Q.cols());
  ClusterRule rule;
  rule.functions = r;
  Nnls problem(Q.transpose() * s);
  std::vector<Index> candidates;
  VecX likelihood = s.cwiseAbs2();
  Index lot = std::min(n, 2 * r + 8);
  NnlsResult result;
  for (;;) {
    const std::vector<Index> drawn = draw(likelihood, lot, random);
    if (drawn.empty()) break;
    problem.add_columns(Q(drawn, Eigen::all).transpose());
    candidates.insert(candidates.end(), drawn.begin(), drawn.end());
    result = problem.solve({.tolerance = 0.5 * tolerance});
    rule.residual = result.residual;  // |b| = 1
    if (rule.residual <= tolerance) break;
    // What a tet can take off the residual; those there already cannot, nor can those that would be negative.
    likelihood = (Q * problem.residual()).cwiseMax(0.0).cwiseAbs2();
    for (const Index k : candidates) likelihood[k] = 0;
    lot = std::max<Index>(8, r / 4);
  }
  rule.weights.assign(n, 0.0);
  double volume = 0;
  for (const Index j : result.passive) {
    const Index k = candidates[j];
    rule.weights[k] = result.x[j] / s[k];
    volume += result.x[j] * s[k];
  }
  if (!(rule.residual <= tolerance)) {
    rule = full_sum(n);
    rule.failed = true;
    return rule;
  }
  for (double& w : rule.weights) w /= volume;
  return rule;
}

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

// functions(samples, limits) -> columns; a cluster a task.
template <class Functions>
Cubature fit_clusters(const Domain& domain, const Partition& partition, const MomentFittingOptions& options,
                      MomentFittingReport& report, Functions&& functions) {
  const ClusterTets clusters = tets_by_cluster(partition);
  const auto count = static_cast<std::size_t>(partition.cluster_count());
  std::vector<ClusterRule> rules(count);
  parallel_for(
      count,
      [&](std::size_t c) {
        const std::span<const Index> tets = clusters.of(c);
        const auto most = static_cast<Index>(full_share * static_cast<double>(tets.size()));
        if (most < 1) {
          rules[c] = full_sum(tets.size());
          return;
        }
        const ClusterSamples samples = sample_cluster(domain, tets);
        const MatX Q = functions(samples, FunctionLimits{options.rank_tolerance, most});
        rules[c] = Q.cols() < most ? fit(Q, samples.share, options.tolerance, RandomStream(options.seed, c))
                                   : full_sum(tets.size());
      },
      1);

  report = {};
  std::vector<double> weight(domain.tet_count(), 0.0);
  for (std::size_t c = 0; c < count; ++c) {
    const std::span<const Index> tets = clusters.of(c);
    for (std::size_t k = 0; k < tets.size(); ++k) weight[tets[k]] = rules[c].weights[k];
    report.points.push_back(static_cast<Index>(
        std::count_if(rules[c].weights.begin(), rules[c].weights.end(), [](double w) { return w > 0; })));
    report.functions.push_back(rules[c].functions);
    report.residual = std::max(report.residual, rules[c].residual);
    report.full_clusters += rules[c].full;
    report.failed_clusters += rules[c].failed;
  }
  Cubature cubature;
  for (Index e = 0; e < domain.tet_count(); ++e) {
    if (!(weight[e] > 0)) continue;
    cubature.tets.push_back(e);
    cubature.weights.push_back(weight[e]);
  }
  return cubature;
}

}  // namespace

Cubature modal_moment_fitting(const Domain& domain, const Partition& partition, const HandleBasis& basis,
                              const MomentFittingOptions& options, MomentFittingReport& report) {
  return fit_clusters(domain, partition, options, report,
                      [&](const ClusterSamples& samples, const FunctionLimits& limits) {
                        return modal_functions(samples, domain, basis, options.degree, limits);
                      });
}

Cubature polynomial_moment_fitting(const Domain& domain, const Partition& partition,
                                   const MomentFittingOptions& options, MomentFittingReport& report) {
  return fit_clusters(domain, partition, options, report,
                      [&](const ClusterSamples& samples, const FunctionLimits& limits) {
                        return polynomial_functions(samples, options.degree, limits);
                      });
}

}  // namespace sinew
