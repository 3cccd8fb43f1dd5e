#include "bases.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "support/domains.h"

#include "sinew/mesh/surface.h"

namespace sinew::test {
namespace {

struct Growth {
  const Domain& domain;
  Tets across;
  std::vector<double> distance;
  Partition& partition;

  void grow(Index seed, Index cluster) {
    using Entry = std::pair<double, Index>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front;
    distance[seed] = 0;
    partition.tet_cluster[seed] = cluster;
    front.push({0.0, seed});
    while (!front.empty()) {
      const auto [d, t] = front.top();
      front.pop();
      if (d > distance[t]) continue;
      for (int i = 0; i < 4; ++i) {
        const Index r = across(i, t);
        if (r < 0) continue;
        const double step = (barycentre(domain, t) - barycentre(domain, r)).norm();
        const double next = d + step / std::sqrt(std::min(domain.young[t], domain.young[r]));
        if (next >= distance[r]) continue;
        distance[r] = next;
        partition.tet_cluster[r] = cluster;
        front.push({next, r});
      }
    }
  }
};

Index center_of(const Domain& domain, const std::vector<Index>& tets) {
  Vec3 moment = Vec3::Zero();
  double volume = 0;
  for (Index t : tets) {
    moment += domain.volume[t] * barycentre(domain, t);
    volume += domain.volume[t];
  }
  std::pair<std::pair<int, double>, Index> best{{2, 0.0}, -1};
  for (Index t : tets) {
    for (int i = 0; i < 4; ++i) {
      const Index v = domain.tets(i, t);
      best = std::min(best, {{domain.fixed[v], (domain.vertices.col(v) - moment / volume).norm()}, v});
    }
  }
  return best.second;
}

}  // namespace

Partition grown_partition(const Domain& domain, Index handles) {
  Partition partition;
  partition.tet_cluster.assign(domain.tet_count(), -1);
  Growth growth{domain, tet_neighbours(domain.tets),
                std::vector<double>(domain.tet_count(), std::numeric_limits<double>::infinity()), partition};
  std::vector<std::vector<Index>> components(domain.component_count);
  for (Index t = 0; t < domain.tet_count(); ++t) components[domain.component[t]].push_back(t);
  Index clusters = 0;
  for (const auto& tets : components) {
    Index seed = tets.front();
    for (Index k = 0; k < std::min<Index>(handles, static_cast<Index>(tets.size())); ++k) {
      growth.grow(seed, clusters++);
      seed = *std::max_element(tets.begin(), tets.end(),
                               [&](Index a, Index b) { return growth.distance[a] < growth.distance[b]; });
      if (growth.distance[seed] == 0) break;
    }
  }
  // Again from the middles: rounder clusters.
  for (int round = 0; round < 3; ++round) {
    std::vector<std::vector<Index>> members(clusters);
    for (Index t = 0; t < domain.tet_count(); ++t) members[partition.tet_cluster[t]].push_back(t);
    std::fill(growth.distance.begin(), growth.distance.end(), std::numeric_limits<double>::infinity());
    partition.center.clear();
    for (Index c = 0; c < clusters; ++c) partition.center.push_back(center_of(domain, members[c]));
    if (round == 2) break;
    for (Index c = 0; c < clusters; ++c) {
      const Vec3 middle = domain.vertices.col(partition.center[c]);
      growth.grow(*std::min_element(members[c].begin(), members[c].end(),
                                    [&](Index a, Index b) {
                                      return (barycentre(domain, a) - middle).norm() <
                                             (barycentre(domain, b) - middle).norm();
                                    }),
                  c);
    }
  }
  return partition;
}

MatX dense_weights(const HandleBasis& basis) {
  MatX phi = MatX::Zero(basis.vertex_count(), basis.handle_count());
  for (Index v = 0; v < basis.vertex_count(); ++v) {
    for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) phi(v, basis.handle[e]) = basis.weight[e];
  }
  return phi;
}

MatX dense_basis(const HandleBasis& basis, const Points& rest) {
  MatX U = MatX::Zero(3 * basis.vertex_count(), 12 * basis.handle_count());
  for (Index v = 0; v < basis.vertex_count(); ++v) {
    for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
      const Index i = basis.handle[e];
      const Vec3 s = (rest.col(v) - basis.center[i]) / basis.radius[i];
      for (int c = 0; c < 4; ++c) {
        const double value = basis.weight[e] * (c == 0 ? 1 : s[c - 1]);
        for (int axis = 0; axis < 3; ++axis) U(3 * v + axis, 12 * i + 3 * c + axis) = value;
      }
    }
  }
  return U;
}

}  // namespace sinew::test
