#include "sinew/subspace/handle_construction.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

void keep_positive(const Subdomain& subdomain, const VecX& u, SparseFunction& positive) {
  for (Index i = 0; i < u.size(); ++i) {
    if (!(u[i] > 0)) continue;
    positive.vertices.push_back(subdomain.vertices[i]);
    positive.values.push_back(u[i]);
  }
}

// Volume centroid of a cluster and the distance to its farthest vertex.
void set_frame(const HandleConstruction& data, Index cluster, Vec3& center, double& radius) {
  const Domain& domain = data.domain;
  const Vec3 origin = domain.vertices.col(data.partition.center[cluster]);  // keeps the digits of far bodies
  double volume = 0;
  Vec3 moment = Vec3::Zero();
  for (Index t : data.graph.tets[cluster]) {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 4; ++i) sum += domain.vertices.col(domain.tets(i, t)) - origin;
    moment += domain.volume[t] * sum / 4;
    volume += domain.volume[t];
  }
  center = origin + moment / volume;
  radius = 0;
  for (Index v : data.graph.vertices[cluster]) radius = std::max(radius, (domain.vertices.col(v) - center).norm());
}

}  // namespace

HandleConstruction::HandleConstruction(const Domain& d, const Partition& p, const std::vector<char>& f)
    : domain(d),
      partition(p),
      fixed(f),
      graph(cluster_graph(d, p)),
      stiffness(relative_stiffness(d)),
      operators(d, graph, stiffness) {}

std::vector<Index> HandleConstruction::free_clusters() const {
  std::vector<Index> clusters;
  for (Index c = 0; c < graph.cluster_count(); ++c) {
    if (!fixed[partition.center[c]]) clusters.push_back(c);
  }
  return clusters;
}

bool HandleConstruction::on_internal_boundary(const std::vector<Index>& clusters, Index vertex) const {
  for (Index c : graph.vertex_clusters[vertex]) {
    if (graph.component[c] == graph.component[clusters.front()] &&
        !std::binary_search(clusters.begin(), clusters.end(), c)) {
      return true;
    }
  }
  return false;
}

void solve_function(const HandleConstruction& data,
                    const std::function<void(const Subdomain& subdomain, VecX& values)>& prescribe, HandleFunction& f) {
  const Subdomain subdomain = data.operators.join(f.clusters);
  const auto n = static_cast<Index>(subdomain.vertices.size());
  std::vector<char> prescribed(n, 0);
  VecX values = VecX::Zero(n);
  for (Index i = 0; i < n; ++i) {
    const Index v = subdomain.vertices[i];
    prescribed[i] = data.fixed[v] || data.on_internal_boundary(f.clusters, v);
  }
  for (Index c : f.clusters) prescribed[subdomain.local(data.partition.center[c])] = 1;
  prescribe(subdomain, values);
  const BiharmonicSolution solution = solve_biharmonic(subdomain.L, subdomain.mass, prescribed, values);
  f.quality = solution.quality;
  f.iterations = solution.iterations;
  keep_positive(subdomain, solution.u, f.positive);
}

void count_function(const HandleFunction& f, SmsReport& report) {
  report.shifted += f.quality == BiharmonicQuality::shifted;
  report.unconverged += f.quality == BiharmonicQuality::unconverged;
  report.failed += f.quality == BiharmonicQuality::failed;
  report.iterations += f.iterations;
}

HandleBasis finish_basis(const HandleConstruction& data, std::vector<HandleFunction>& functions,
                         const std::vector<Index>& handle_cluster, const VecX& dirichlet, SmsReport& report) {
  std::vector<SparseFunction> positive;
  std::vector<std::vector<Index>> subdomain;
  for (HandleFunction& f : functions) {
    count_function(f, report);
    positive.push_back(std::move(f.positive));
    subdomain.push_back(std::move(f.clusters));
  }
  WeightTable table = normalised(positive, dirichlet, data.fixed);
  report.extended = extend(data.domain, data.graph, data.stiffness, subdomain, table);
  report.handle_cluster = handle_cluster;
  report.dirichlet = std::move(table.dirichlet);

  HandleBasis basis;
  basis.begin = std::move(table.begin);
  basis.handle = std::move(table.handle);
  basis.weight = std::move(table.weight);
  basis.center.resize(handle_cluster.size());
  basis.radius.resize(handle_cluster.size());
  parallel_for(
      handle_cluster.size(),
      [&](std::size_t i) { set_frame(data, handle_cluster[i], basis.center[i], basis.radius[i]); }, 16);
  return basis;
}

}  // namespace sinew
