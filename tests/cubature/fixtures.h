// Boxes cut into box-shaped clusters, with trilinear weights of the clusters' centres: domains, partitions and bases
// made by hand.
#pragma once

#include <array>
#include <cmath>

#include "support/domains.h"

#include "sinew/cubature/make_cubature.h"

namespace sinew::test {

struct Blocks {
  Domain domain;
  Partition partition;
  HandleBasis basis;
};

// The unit box of cells^3 cubes in blocks^3 clusters; `bend` applied to the weights' coordinate in units of blocks:
// the identity gives hats, a step function constant weights within blocks.
template <class Bend>
Blocks make_blocks(Index cells, Index blocks, Bend&& bend) {
  Blocks all;
  all.domain = domain_of(make_box(Vec3::Ones(), {cells, cells, cells}));
  const auto clamp = [&](double c) { return std::clamp(static_cast<Index>(std::floor(c)), Index{0}, blocks - 1); };
  const auto coordinate = [&](const Vec3& x, int axis) { return blocks * (x[axis] + 0.5); };
  for (Index e = 0; e < all.domain.tet_count(); ++e) {
    const Vec3 x = barycentre(all.domain, e);
    all.partition.tet_cluster.push_back((clamp(coordinate(x, 0)) * blocks + clamp(coordinate(x, 1))) * blocks +
                                        clamp(coordinate(x, 2)));
  }
  for (Index c = 0; c < blocks * blocks * blocks; ++c) {
    const Vec3 centre(c / (blocks * blocks), c / blocks % blocks, c % blocks);
    all.basis.center.push_back((centre.array() + 0.5) / blocks - 0.5);
    all.basis.radius.push_back(1.0 / blocks);
  }
  all.partition.center.assign(blocks * blocks * blocks, 0);
  all.basis.begin.push_back(0);
  for (Index v = 0; v < all.domain.vertex_count(); ++v) {
    for (Index c = 0; c < blocks * blocks * blocks; ++c) {
      double weight = 1;
      const std::array<Index, 3> at{c / (blocks * blocks), c / blocks % blocks, c % blocks};
      for (int axis = 0; axis < 3; ++axis) {
        const double t = std::clamp(coordinate(all.domain.vertices.col(v), axis) - 0.5, 0.0, blocks - 1.0);
        weight *= std::max(0.0, 1 - std::abs(bend(t) - at[axis]));
      }
      if (weight == 0) continue;
      all.basis.handle.push_back(c);
      all.basis.weight.push_back(weight);
    }
    all.basis.begin.push_back(static_cast<std::int64_t>(all.basis.handle.size()));
  }
  return all;
}

inline Blocks make_blocks(Index cells, Index blocks) {
  return make_blocks(cells, blocks, [](double t) { return t; });
}

inline CubatureOptions options_of(const std::string& method, int degree) {
  CubatureOptions options;
  options.method = method;
  options.fitting.degree = degree;
  options.fitting.rank_tolerance = 1e-9;
  return options;
}

inline Cubature rule_of(const Blocks& all, const CubatureOptions& options, CubatureReport* report = nullptr) {
  return make_cubature(all.domain, all.partition, all.basis, options, report);
}

// Mean over the corners of tet e of f(vertex).
template <class F>
double corner_mean(const Domain& domain, Index e, F&& f) {
  double sum = 0;
  for (int c = 0; c < 4; ++c) sum += 0.25 * f(domain.tets(c, e));
  return sum;
}

inline double weight_at(const HandleBasis& basis, Index v, Index handle) {
  for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
    if (basis.handle[e] == handle) return basis.weight[e];
  }
  return 0;
}

// Integrals of f(tet) over each cluster by the rule and by all tets.
template <class F>
std::pair<VecX, VecX> integrals(const Blocks& all, const Cubature& rule, F&& f) {
  std::pair<VecX, VecX> sums{VecX::Zero(all.partition.cluster_count()), VecX::Zero(all.partition.cluster_count())};
  const Domain& domain = all.domain;
  for (Index k = 0; k < rule.point_count(); ++k) {
    const Index e = rule.tets[k];
    sums.first[all.partition.tet_cluster[e]] += rule.weights[k] * domain.volume[e] * f(e);
  }
  for (Index e = 0; e < domain.tet_count(); ++e) {
    sums.second[all.partition.tet_cluster[e]] += domain.volume[e] * f(e);
  }
  return sums;
}

}  // namespace sinew::test
