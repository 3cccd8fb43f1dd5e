#include "sinew/cubature/stiffness_points.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "sinew/core/parallel.h"
#include "sinew/cubature/cluster_rule.h"
#include "sinew/cubature/cluster_stiffness.h"
#include "sinew/cubature/point_shares.h"
#include "sinew/linalg/nnls.h"

namespace sinew {
namespace {

constexpr Index candidates_per_point = 4;
constexpr Index rounds = 8;           // in which points enter
constexpr double point_ridge = 0.01;  // penalty on the difference of a weight from that of equal traces
constexpr Index most_fitted = 1024;   // points of one fit; rules of more points are means of several fits

// Entry (e, f): <Z_e Z_e^T, Z_f Z_f^T> of blocks of six columns.
MatX products_of_squares(const MatX& Z) {
  const auto count = static_cast<Index>(Z.cols() / 6);
  constexpr Index block = 64;
  MatX G(count, count);
  parallel_chunks(count, block, [&](std::size_t begin, std::size_t end) {
    const auto first = static_cast<Index>(begin), width = static_cast<Index>(end - begin);
    const MatX products = Z.rightCols(6 * (count - first)).transpose() * Z.middleCols(6 * first, 6 * width);
    for (Index f = 0; f < width; ++f)
      for (Index e = f; e < count - first; ++e)
        G(first + e, first + f) = G(first + f, first + e) = products.block<6, 6>(6 * e, 6 * f).squaredNorm();
  });
  return G;
}

struct Fit {
  std::vector<Index> chosen;
  VecX weights;
};

// min over u >= 0 of |sum u_e Z_e Z_e^T - I|^2 + point_ridge |u - trace / n|^2 over the n chosen, <Z_e Z_e^T, I> = 1.
VecX fit_weights(const MatX& G, const std::vector<Index>& chosen, double trace) {
  const auto n = static_cast<Index>(chosen.size());
  MatX ridged = G(chosen, chosen);
  ridged.diagonal().array() += point_ridge;
  const Eigen::LLT<MatX> factor(ridged);
  return nnls(factor.matrixU(), factor.matrixL().solve(VecX::Constant(n, 1 + point_ridge * trace / n))).x;
}

// Orthogonal matching pursuit for I = sum_e u_e Z_e Z_e^T over the candidates, by their products G alone: those of the
// residual are <Z_e Z_e^T, I - sum u> = 1 - (G u)_e.
Fit pursue(const MatX& G, Index points, double trace) {
  const auto candidates = static_cast<Index>(G.cols());
  const VecX size = G.diagonal().cwiseSqrt();
  Fit fit;
  std::vector<char> in(candidates, 0);
  for (Index round = 1; round <= rounds; ++round) {
    // <Z_e Z_e^T, residual> = 1 - (G u)_e for each candidate e.
    VecX missing = VecX::Ones(candidates);
    for (std::size_t k = 0; k < fit.chosen.size(); ++k) missing -= fit.weights[k] * G.col(fit.chosen[k]);
    const Index target = std::max<Index>(1, points * round / rounds);
    while (static_cast<Index>(fit.chosen.size()) < target) {
      Index best = -1;
      for (Index e = 0; e < candidates; ++e)
        if (!in[e] && (best < 0 || missing[e] * size[best] > missing[best] * size[e])) best = e;
      in[best] = 1;
      fit.chosen.push_back(best);
      // The next point of the lot is chosen after this one has taken its share of the residual (matching pursuit).
      missing -= std::max(0.0, missing[best]) / G(best, best) * G.col(best);
    }
    // All weights are fitted anew; points that get none leave and may enter again.
    const VecX weights = fit_weights(G, fit.chosen, trace);
    const std::vector<Index> tried = std::move(fit.chosen);
    fit.chosen.clear();
    std::vector<double> kept;
    for (std::size_t k = 0; k < tried.size(); ++k) {
      in[tried[k]] = weights[k] > 0;
      if (!in[tried[k]]) continue;
      fit.chosen.push_back(tried[k]);
      kept.push_back(weights[k]);
    }
    fit.weights = Eigen::Map<const VecX>(kept.data(), static_cast<Index>(kept.size()));
  }
  // <sum u_e Z_e Z_e^T, I> = <I, I>: energies are right in the mean over all directions.
  fit.weights *= trace / fit.weights.sum();
  return fit;
}

// Adds the weights of a rule of `points` points for one component.
void add_rule(const Domain& domain, const HandleBasis& basis, std::span<const Index> tets, Index points,
              RandomStream& random, std::vector<double>& weight) {
  const ClusterStiffness stiffness(domain, basis, tets);
  VecX leverage = stiffness.leverage();
  const auto movable = static_cast<Index>((leverage.array() > 0).count());
  if (movable == 0) {  // nothing strains: the largest tet stands for all
    const auto larger = [&](Index a, Index b) { return domain.volume[a] < domain.volume[b]; };
    double volume = 0;
    for (const Index t : tets) volume += domain.volume[t];
    const Index largest = *std::ranges::max_element(tets, larger);
    weight[largest] = volume / domain.volume[largest];
    return;
  }
  if (static_cast<double>(points) >= full_share * movable && points <= movable) points = movable;
  if (points >= movable) {
    for (std::size_t k = 0; k < tets.size(); ++k)
      if (leverage[k] > 0) weight[tets[k]] = 1;
    return;
  }
  const Index fits = (points + most_fitted - 1) / most_fitted;
  for (Index f = 0; f < fits; ++f) {
    const Index share = points * (f + 1) / fits - points * f / fits;
    const std::vector<Index> drawn = draw(leverage, candidates_per_point * share, random);
    // Z_e = Y_e / |Y_e|, of unit trace: w_e Y_e Y_e^T = u_e Z_e Z_e^T with u_e = w_e |Y_e|^2.
    MatX Z = stiffness.whitened(drawn);
    for (std::size_t k = 0; k < drawn.size(); ++k) Z.middleCols<6>(6 * k) /= std::sqrt(leverage[drawn[k]]);
    const Fit fit = pursue(products_of_squares(Z), std::min(share, static_cast<Index>(drawn.size())), stiffness.rank());
    for (std::size_t k = 0; k < fit.chosen.size(); ++k) {
      const Index e = drawn[fit.chosen[k]];
      weight[tets[e]] = fit.weights[k] / leverage[e] / fits;
    }
    for (const Index k : fit.chosen) leverage[drawn[k]] = 0;  // taken
  }
}

}  // namespace

// Component by component, each with its share of the points and a random stream of its own.
Cubature stiffness_points(const Domain& domain, const HandleBasis& basis, Index points, std::uint64_t seed) {
  const IndexLists tets = grouped(domain.component, domain.component_count);
  const std::vector<Index> share = share_points(domain, basis, tets, points);
  std::vector<double> weight(domain.tet_count(), 0);
  for (Index c = 0; c < domain.component_count; ++c) {
    RandomStream random(seed, static_cast<std::uint64_t>(c));
    add_rule(domain, basis, tets[c], share[c], random, weight);
  }
  Cubature cubature;
  for (Index t = 0; t < domain.tet_count(); ++t) {
    if (!(weight[t] > 0)) continue;
    cubature.tets.push_back(t);
    cubature.weights.push_back(weight[t]);
  }
  return cubature;
}

}  // namespace sinew
