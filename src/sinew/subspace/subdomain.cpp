#include "sinew/subspace/subdomain.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

struct Entry {
  Index row;
  double value;
};

// P^T L P (lower triangles) and P^T m for functions that are constant on nodes, P of zeros and ones. vertices, own: of
// the cluster.
void sum_over_nodes(std::span<const Index> vertices, const Nodes& nodes, std::span<const Index> own, SparseMatrix& L,
                    VecX& mass) {
  const auto n = static_cast<Index>(own.size());
  std::vector<Index> place(vertices.size());
  VecX sum = VecX::Zero(n);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    place[v] = static_cast<Index>(std::ranges::lower_bound(own, nodes.node[vertices[v]]) - own.begin());
    sum[place[v]] += mass[static_cast<Index>(v)];
  }
  std::vector<Eigen::Triplet<double, Index>> entries;
  entries.reserve(L.nonZeros());
  for (Index j = 0; j < L.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(L, j); entry; ++entry) {
      const auto [low, high] = std::minmax(place[entry.row()], place[j]);
      const bool both = low == high && entry.row() != j;  // the entry and its mirror image
      entries.emplace_back(high, low, both ? 2 * entry.value() : entry.value());
    }
  }
  L.resize(n, n);
  L.setFromTriplets(entries.begin(), entries.end());
  mass = sum;
}

}  // namespace

Index Subdomain::local(Index node) const {
  const auto place = std::lower_bound(nodes.begin(), nodes.end(), node);
  return place == nodes.end() || *place != node ? -1 : static_cast<Index>(place - nodes.begin());
}

// L_c = sum_e k_e V_e grad^T grad and the lumped mass sum_e k_e V_e / 4 over the tets of each cluster, in its own
// numbering of its nodes.
ClusterOperators::ClusterOperators(const Domain& domain, const ClusterGraph& vertex_graph,
                                   const std::vector<double>& stiffness, const Nodes& nodes, const ClusterGraph& graph)
    : graph_(graph), L_(graph.cluster_count()), mass_(graph.cluster_count()) {
  parallel_for(
      graph.cluster_count(),
      [&](std::size_t c) {
        const auto vertices = vertex_graph.vertices[c];
        const auto own = graph.tets[c];
        Points points(3, static_cast<Index>(vertices.size()));
        for (std::size_t v = 0; v < vertices.size(); ++v) points.col(v) = domain.vertices.col(vertices[v]);
        Tets tets(4, static_cast<Index>(own.size()));
        std::vector<double> volume(own.size()), k(own.size());
        for (std::size_t t = 0; t < own.size(); ++t) {
          tets.col(t) = vertex_graph.tet_local.col(own[t]);
          volume[t] = domain.volume[own[t]];
          k[t] = stiffness[own[t]];
        }
        L_[c] = stiffness_laplacian(points, tets, volume, k).triangularView<Eigen::Lower>();
        for (std::size_t t = 0; t < own.size(); ++t) volume[t] *= k[t];
        mass_[c] = lumped_volume(static_cast<Index>(vertices.size()), tets, volume);
        if (!nodes.are_vertices()) sum_over_nodes(vertices, nodes, graph.vertices[c], L_[c], mass_[c]);
      },
      1);
}

// Sums the operators of the clusters: the entries of each column are collected in the order of the clusters, sorted by
// rows and merged.
Subdomain ClusterOperators::join(std::span<const Index> clusters) const {
  Subdomain sum;
  for (Index c : clusters) {
    const auto own = graph_.vertices[c];
    sum.nodes.insert(sum.nodes.end(), own.begin(), own.end());
  }
  sort_unique(sum.nodes);
  const auto n = static_cast<Index>(sum.nodes.size());

  // Both numberings ascend, so that the lower triangle of a cluster falls into the lower triangle of the sum.
  sum.mass = VecX::Zero(n);
  std::vector<std::vector<Index>> place(clusters.size());
  std::vector<std::int64_t> begin(static_cast<std::size_t>(n) + 1, 0);
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    const auto own = graph_.vertices[clusters[k]];
    place[k].resize(own.size());
    auto next = sum.nodes.begin();
    for (std::size_t v = 0; v < own.size(); ++v) {
      next = std::lower_bound(next, sum.nodes.end(), own[v]);
      const auto i = static_cast<Index>(next - sum.nodes.begin());
      place[k][v] = i;
      sum.mass[i] += mass_[clusters[k]][static_cast<Index>(v)];
      begin[i + 1] += L_[clusters[k]].outerIndexPtr()[v + 1] - L_[clusters[k]].outerIndexPtr()[v];
    }
  }
  // All entries of all clusters, bucketed by column of the sum.
  for (Index i = 0; i < n; ++i) begin[i + 1] += begin[i];
  std::vector<Entry> entries(static_cast<std::size_t>(begin[n]));
  std::vector<std::int64_t> end(begin.begin(), begin.end() - 1);
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    const SparseMatrix& L = L_[clusters[k]];
    for (Index v = 0; v < L.cols(); ++v) {
      for (SparseMatrix::InnerIterator entry(L, v); entry; ++entry) {
        entries[end[place[k][v]]++] = {place[k][entry.row()], entry.value()};
      }
    }
  }
  // Each column: sorted by row, equal rows added in the order of the clusters.
  sum.L.resize(n, n);
  sum.L.reserve(begin[n]);
  for (Index i = 0; i < n; ++i) {
    const auto first = entries.begin() + begin[i], last = entries.begin() + begin[i + 1];
    std::stable_sort(first, last, [](const Entry& a, const Entry& b) { return a.row < b.row; });
    sum.L.startVec(i);
    for (auto e = first; e != last;) {
      const Index row = e->row;
      double value = 0;
      for (; e != last && e->row == row; ++e) value += e->value;
      sum.L.insertBackByOuterInner(i, row) = value;
    }
  }
  sum.L.finalize();
  return sum;
}

std::vector<double> relative_stiffness(const Domain& domain) {
  const double softest = domain.young.empty() ? 1 : *std::min_element(domain.young.begin(), domain.young.end());
  std::vector<double> k(domain.young.size());
  for (std::size_t t = 0; t < k.size(); ++t) k[t] = std::min(domain.young[t] / softest, largest_stiffness_ratio);
  return k;
}

}  // namespace sinew
