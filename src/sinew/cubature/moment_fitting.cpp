#include "sinew/cubature/moment_fitting.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/random_stream.h"
#include "sinew/linalg/nnls.h"

namespace sinew {
namespace {

// SMS, Algorithm 3, for one cluster. Q: n x r, orthonormal functions at the n tets; s: the square roots of the tets'
// shares of the volume. With A = Q^T and unknowns u_k = w_k s_k, the rule solves min |Q^T u - Q^T s| over u >= 0 on a
// growing set of candidates: a random start of 2 r + 8 tets drawn by volume, then lots drawn with probability
// proportional to the square of (Q res)_k, the gain that tet k promises.
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
    // The gradient of the residual by the weight of each tet: tets that are candidates already, or whose weight would
    // be negative, cannot reduce it.
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

// Fits a rule for each cluster to the columns functions(samples, limits); the sum over all tets where they are too
// many.
template <class Functions>
Cubature fit_moments(const Domain& domain, const Partition& partition, const MomentFittingOptions& options,
                     FittingReport& report, Functions&& functions) {
  const auto rule_of = [&](std::size_t c, std::span<const Index> tets) {
    const auto most = static_cast<Index>(full_share * static_cast<double>(tets.size()));
    if (most < 1) return full_sum(tets.size());
    const ClusterSamples samples = sample_cluster(domain, tets);
    const MatX Q = functions(samples, FunctionLimits{options.rank_tolerance, most});
    if (Q.cols() >= most) return full_sum(tets.size());
    return fit(Q, samples.share, options.tolerance, RandomStream(options.seed, c));
  };
  return rule_by_cluster(partition, rule_of, report);
}

}  // namespace

Cubature modal_moment_fitting(const Domain& domain, const Partition& partition, const HandleBasis& basis,
                              const MomentFittingOptions& options, FittingReport& report) {
  return fit_moments(domain, partition, options, report,
                     [&](const ClusterSamples& samples, const FunctionLimits& limits) {
                       return modal_functions(samples, domain, basis, options.degree, limits);
                     });
}

Cubature polynomial_moment_fitting(const Domain& domain, const Partition& partition,
                                   const MomentFittingOptions& options, FittingReport& report) {
  return fit_moments(domain, partition, options, report,
                     [&](const ClusterSamples& samples, const FunctionLimits& limits) {
                       return polynomial_functions(samples, options.degree, limits);
                     });
}

}  // namespace sinew
