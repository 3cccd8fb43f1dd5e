#include "sinew/cubature/stiffness_fitting.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "sinew/cubature/cluster_stiffness.h"
#include "sinew/linalg/nnls.h"

namespace sinew {
namespace {

constexpr double ridge = 0.03;  // penalty on the difference of a weight from that of sampling by leverage

// Weights u_e of the unit-trace matrices Y_e Y_e^T / |Y_e|^2, with the sum `trace`.
struct Weights {
  VecX u;
  double residual;
};

// min over u >= 0 of |sum_e u_e Z_e Z_e^T - I|_F^2 + ridge |u - trace / n|^2 with Z_e = Y_e / |Y_e|. With the Gram
// matrix G_ef = |Z_e^T Z_f|_F^2 and <Z_e Z_e^T, I> = 1 this is an NNLS problem for the Cholesky factor of G + ridge I.
// The weights are scaled to the trace of I.
Weights fit_identity(const MatX& Y, const VecX& leverage, double trace) {
  const auto count = leverage.size();
  const MatX scaled = Y * leverage.cwiseSqrt().cwiseInverse().replicate(1, 6).transpose().reshaped().asDiagonal();
  // G_ef = <Y_e Y_e^T, Y_f Y_f^T>; each has the product 1 with I.
  const MatX products = scaled.transpose() * scaled;
  MatX G(count, count);
  for (Eigen::Index f = 0; f < count; ++f) {
    for (Eigen::Index e = f; e < count; ++e) G(e, f) = G(f, e) = products.block<6, 6>(6 * e, 6 * f).squaredNorm();
  }
  const double drawn = trace / static_cast<double>(count);
  MatX ridged = G;
  ridged.diagonal().array() += ridge;
  const Eigen::LLT<MatX> factor(ridged);
  const MatX A = factor.matrixU();
  const VecX b = factor.matrixL().solve(VecX::Constant(count, 1 + ridge * drawn));
  Weights weights{nnls(A, b).x, 0.0};
  weights.u *= trace / weights.u.sum();
  const double squared = weights.u.dot(G * weights.u) - 2 * weights.u.sum() + trace;
  weights.residual = std::sqrt(std::max(0.0, squared) / trace);
  return weights;
}

// Draws density * rank / 6 tets by leverage and fits their weights.
ClusterRule rule_of_cluster(const Domain& domain, const HandleBasis& basis, const StiffnessFittingOptions& options,
                            std::size_t cluster, std::span<const Index> tets) {
  ClusterRule rule;
  if (tets.size() < 2) return full_sum(tets.size());
  const ClusterStiffness stiffness(domain, basis, tets);
  const Index rank = stiffness.rank();
  rule.functions = rank;
  rule.weights.assign(tets.size(), 0.0);
  if (rank == 0) {  // nothing moves: the largest tet keeps the volume
    std::size_t largest = 0;
    double volume = 0;
    for (std::size_t k = 0; k < tets.size(); ++k) {
      volume += domain.volume[tets[k]];
      if (domain.volume[tets[k]] > domain.volume[tets[largest]]) largest = k;
    }
    rule.weights[largest] = volume / domain.volume[tets[largest]];
    return rule;
  }
  const double wanted = std::ceil(options.density * rank / 6);
  if (wanted >= full_share * static_cast<double>(tets.size())) return full_sum(tets.size());
  RandomStream random(options.seed, cluster);
  const std::vector<Index> drawn = draw(stiffness.leverage(), static_cast<Index>(wanted), random);
  const VecX leverage = stiffness.leverage()(drawn);
  const Weights weights = fit_identity(stiffness.whitened(drawn), leverage, rank);
  for (std::size_t k = 0; k < drawn.size(); ++k) rule.weights[drawn[k]] = weights.u[k] / leverage[k];
  rule.residual = weights.residual;
  return rule;
}

}  // namespace

Cubature stiffness_fitting(const Domain& domain, const Partition& partition, const HandleBasis& basis,
                           const StiffnessFittingOptions& options, FittingReport& report) {
  return rule_by_cluster(
      partition,
      [&](std::size_t c, std::span<const Index> tets) { return rule_of_cluster(domain, basis, options, c, tets); },
      report);
}

}  // namespace sinew
