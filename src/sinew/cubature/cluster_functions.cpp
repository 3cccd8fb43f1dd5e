#include "sinew/cubature/cluster_functions.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/core/sort_unique.h"
#include "sinew/cubature/orthonormal_span.h"
#include "sinew/linalg/dense_decompositions.h"

namespace sinew {
namespace {

// Values at the tets of the cluster of phi_i, phi_i X, phi_i Y and phi_i Z for the handles i with support there, X in
// the cluster's frame: tet averages by corners, times s = sqrt(share of the volume), with which the l2 product of
// columns is the L2 product over the cluster.
MatX handle_functions(const ClusterSamples& samples, const Domain& domain, const HandleBasis& basis) {
  const auto n = static_cast<Index>(samples.tets.size());
  std::vector<Index> handles;
  const auto for_weights = [&](Index k, auto&& f) {
    for (int c = 0; c < 4; ++c) {
      const Index v = domain.tets(c, samples.tets[k]);
      for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) f(basis.handle[e], basis.weight[e], c);
    }
  };
  for (Index k = 0; k < n; ++k) for_weights(k, [&](Index i, double, int) { handles.push_back(i); });
  sort_unique(handles);

  MatX values = MatX::Zero(n, 4 * static_cast<Eigen::Index>(handles.size()));
  for (Index k = 0; k < n; ++k) {
    for_weights(k, [&](Index i, double weight, int c) {
      const auto column = 4 * (std::lower_bound(handles.begin(), handles.end(), i) - handles.begin());
      const double part = 0.25 * weight * samples.share[k];
      values(k, column) += part;
      for (int axis = 0; axis < 3; ++axis) values(k, column + 1 + axis) += part * samples.corners(axis, 4 * k + c);
    });
  }
  return values;
}

// The span of the constant function.
OrthonormalSpan span_of_one(const ClusterSamples& samples, Index most) {
  OrthonormalSpan span(static_cast<Index>(samples.share.size()), most);
  MatX one = samples.share;
  span.add(one, 0.0);
  return span;
}

// Adds the products g_i g_j / s of all pairs of columns of G to the span, by falling size, a lot at a time, until no
// more columns fit.
void add_products(const ClusterSamples& samples, const MatX& G, const FunctionLimits& limits, OrthonormalSpan& span) {
  const auto count = static_cast<Index>(G.cols());
  const VecX size = G.colwise().norm().transpose();
  std::vector<std::pair<Index, Index>> pairs;
  for (Index i = 0; i < count; ++i) {
    for (Index j = i; j < count; ++j) pairs.emplace_back(i, j);
  }
  std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
    return size[a.first] * size[a.second] > size[b.first] * size[b.second];
  });
  const VecX inverse = samples.share.cwiseInverse();
  const std::size_t lot = std::max<std::size_t>(256, samples.tets.size());
  for (std::size_t begin = 0; begin < pairs.size(); begin += lot) {
    const std::size_t end = std::min(pairs.size(), begin + lot);
    MatX products(G.rows(), static_cast<Eigen::Index>(end - begin));
    for (std::size_t k = begin; k < end; ++k) {
      const auto [i, j] = pairs[k];
      products.col(k - begin) = G.col(i).cwiseProduct(G.col(j)).cwiseProduct(inverse);
    }
    if (!span.add(products, limits.tolerance)) return;
  }
}

}  // namespace

// Corners and barycentres in a frame with its origin at the centroid and the farthest corner at distance 1: moments of
// different degrees are then of comparable size.
ClusterSamples sample_cluster(const Domain& domain, std::span<const Index> tets) {
  const auto n = static_cast<Index>(tets.size());
  ClusterSamples samples;
  samples.tets = tets;
  samples.share.resize(n);
  samples.corners.resize(3, 4 * n);
  samples.points.resize(3, n);
  Vec3 centre = Vec3::Zero();
  for (Index k = 0; k < n; ++k) {
    samples.volume += domain.volume[tets[k]];
    for (int c = 0; c < 4; ++c) {
      samples.corners.col(4 * k + c) = domain.vertices.col(domain.tets(c, tets[k]));
      centre += 0.25 * domain.volume[tets[k]] * samples.corners.col(4 * k + c);
    }
  }
  centre /= samples.volume;
  samples.corners.colwise() -= centre;
  samples.corners /= std::sqrt(samples.corners.colwise().squaredNorm().maxCoeff());
  for (Index k = 0; k < n; ++k) {
    samples.share[k] = std::sqrt(domain.volume[tets[k]] / samples.volume);
    samples.points.col(k) = samples.corners.middleCols<4>(4 * k).rowwise().mean();
  }
  return samples;
}

// Degree 1: the span of 1 and the handle functions. Degree 2: products of the principal functions, which are the left
// singular vectors of the handle functions times their singular values: most products are then negligible.
MatX modal_functions(const ClusterSamples& samples, const Domain& domain, const HandleBasis& basis, int degree,
                     const FunctionLimits& limits) {
  OrthonormalSpan span = span_of_one(samples, limits.most);
  const MatX handles = handle_functions(samples, domain, basis);
  MatX functions(handles.rows(), handles.cols() + 1);
  functions << samples.share, handles;
  MatX used = functions;
  if (!span.add(used, limits.tolerance) || degree == 1) return span.columns();
  const MatX Q = span.columns();
  MatX principal = Q * principal_columns(Q.transpose() * functions);
  add_products(samples, principal, limits, span);
  return span.columns();
}

// An orthonormal basis of the polynomials up to a degree, at the tets of the cluster.
MatX polynomial_functions(const ClusterSamples& samples, int degree, const FunctionLimits& limits) {
  OrthonormalSpan span = span_of_one(samples, limits.most);
  // Monomials degree by degree: each is one of the degree before times a coordinate that does not come before its last
  // factor, so that none appears twice.
  std::vector<std::pair<VecX, int>> last{{samples.share, 0}};
  for (int d = 1; d <= degree; ++d) {
    std::vector<std::pair<VecX, int>> next;
    for (const auto& [column, first] : last) {
      for (int axis = first; axis < 3; ++axis) {
        next.emplace_back(column.cwiseProduct(samples.points.row(axis).transpose()), axis);
      }
    }
    MatX monomials(samples.share.size(), static_cast<Eigen::Index>(next.size()));
    for (std::size_t k = 0; k < next.size(); ++k) monomials.col(k) = next[k].first;
    if (!span.add(monomials, limits.tolerance)) break;
    last = std::move(next);
  }
  return span.columns();
}

}  // namespace sinew
