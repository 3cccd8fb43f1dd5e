#include "sinew/subspace/handle_construction.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// Residuals of functions on groups of vertices, whose own error is a hundred times that and more.
constexpr double grouped_tolerance = 1e-5;

// u+ = max(0, u) (SMS, section 3.5).
void keep_positive(const Subdomain& subdomain, const VecX& u, SparseFunction& positive) {
  for (Index i = 0; i < u.size(); ++i) {
    if (!(u[i] > 0)) continue;
    positive.nodes.push_back(subdomain.nodes[i]);
    positive.values.push_back(u[i]);
  }
}

}  // namespace

HandleConstruction::HandleConstruction(const Domain& d, const Partition& p, Index grouped_from)
    : domain(d),
      partition(p),
      cells(make_cells(d, p)),
      stiffness(relative_stiffness(d)),
      vertex_graph(cluster_graph(d, cells.tet_cell, cells.cell_count())),
      nodes(group_vertices(d, p, vertex_graph, stiffness, grouped_from)),
      graph(graph_of_nodes(vertex_graph, nodes)),
      operators(d, vertex_graph, stiffness, nodes, graph) {}

std::vector<Index> HandleConstruction::free_clusters() const {
  return sinew::free_clusters(partition, domain.fixed);
}

// Whether a node lies between the union of `cells` and other cells of its component.
bool HandleConstruction::on_internal_boundary(const std::vector<Index>& cells, Index node) const {
  for (Index c : graph.vertex_clusters[node]) {
    if (graph.component[c] == graph.component[cells.front()] && !std::binary_search(cells.begin(), cells.end(), c)) {
      return true;
    }
  }
  return false;
}

// Prescribes zero at fixed nodes, on the internal boundary of the union of cells and at the centres of all its
// clusters, sets what `prescribe` asks for, solves K u = 0 at the others (SMS, eq. 8) and clips.
void solve_function(const HandleConstruction& data,
                    const std::function<void(const Subdomain& subdomain, VecX& values)>& prescribe, HandleFunction& f) {
  const Subdomain subdomain = data.operators.join(f.cells);
  const auto n = static_cast<Index>(subdomain.nodes.size());
  std::vector<char> prescribed(n, 0);
  VecX values = VecX::Zero(n);
  // Zeros at fixed vertices and on the internal boundary; then at the centres of the clusters.
  for (Index i = 0; i < n; ++i) {
    const Index v = subdomain.nodes[i];
    prescribed[i] = data.nodes.fixed[v] || data.on_internal_boundary(f.cells, v);
  }
  for (Index c : f.cells) {
    const Index center = subdomain.local(data.nodes.center[data.cells.cell_cluster[c]]);
    if (center >= 0) prescribed[center] = 1;
  }
  prescribe(subdomain, values);
  // K u = 0 at the free nodes of the union.
  const double tolerance = data.nodes.are_vertices() ? rounding_tolerance : grouped_tolerance;
  const BiharmonicSolution solution = solve_biharmonic(subdomain.L, subdomain.mass, prescribed, values, tolerance);
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

// phi_i = u_i / (sum_j u_j + u_DBC) (SMS, eqs. 9 and 11), then the extension to nodes where this sum vanishes, and from
// nodes to vertices.
HandleBasis finish_basis(const HandleConstruction& data, std::vector<HandleFunction>& functions,
                         const std::vector<Index>& handle_cluster, const VecX& dirichlet, SmsReport& report) {
  std::vector<SparseFunction> positive;
  std::vector<std::vector<Index>> subdomain;
  for (HandleFunction& f : functions) {
    count_function(f, report);
    positive.push_back(std::move(f.positive));
    subdomain.push_back(std::move(f.cells));
  }
  WeightTable table = normalised(positive, dirichlet, data.nodes.fixed);
  const std::vector<char> extended = table.unreached;
  extend(data.domain, data.nodes.node, data.graph, data.stiffness, subdomain, table);
  report.extended = static_cast<Index>(std::ranges::count_if(data.nodes.node, [&](Index i) { return extended[i]; }));
  table = weights_of_vertices(data.domain, data.vertex_graph, data.stiffness, data.nodes, subdomain, extended,
                              std::move(table));
  report.handle_cluster = handle_cluster;
  report.dirichlet = std::move(table.dirichlet);

  HandleBasis basis;
  basis.begin = std::move(table.begin);
  basis.handle = std::move(table.handle);
  basis.weight = std::move(table.weight);
  set_cluster_frames(data.domain, data.partition, handle_cluster, basis);
  return basis;
}

}  // namespace sinew
