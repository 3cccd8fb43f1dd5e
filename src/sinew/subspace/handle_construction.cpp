#include "sinew/subspace/handle_construction.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// u+ = max(0, u) (SMS, section 3.5).
void keep_positive(const Subdomain& subdomain, const VecX& u, SparseFunction& positive) {
  for (Index i = 0; i < u.size(); ++i) {
    if (!(u[i] > 0)) continue;
    positive.vertices.push_back(subdomain.vertices[i]);
    positive.values.push_back(u[i]);
  }
}

}  // namespace

HandleConstruction::HandleConstruction(const Domain& d, const Partition& p)
    : domain(d),
      partition(p),
      cells(make_cells(d, p)),
      graph(cluster_graph(d, cells.tet_cell, cells.cell_count())),
      stiffness(relative_stiffness(d)),
      operators(d, graph, stiffness) {}

std::vector<Index> HandleConstruction::free_clusters() const {
  return sinew::free_clusters(partition, domain.fixed);
}

// Whether a vertex lies between the union of `cells` and other cells of its component.
bool HandleConstruction::on_internal_boundary(const std::vector<Index>& cells, Index vertex) const {
  for (Index c : graph.vertex_clusters[vertex]) {
    if (graph.component[c] == graph.component[cells.front()] && !std::binary_search(cells.begin(), cells.end(), c)) {
      return true;
    }
  }
  return false;
}

// Prescribes zero at fixed vertices, on the internal boundary of the union of cells and at the centres of all its
// clusters, sets what `prescribe` asks for, solves K u = 0 at the others (SMS, eq. 8) and clips.
void solve_function(const HandleConstruction& data,
                    const std::function<void(const Subdomain& subdomain, VecX& values)>& prescribe, HandleFunction& f) {
  const Subdomain subdomain = data.operators.join(f.cells);
  const auto n = static_cast<Index>(subdomain.vertices.size());
  std::vector<char> prescribed(n, 0);
  VecX values = VecX::Zero(n);
  // Zeros at fixed vertices and on the internal boundary; then at the centres of the clusters.
  for (Index i = 0; i < n; ++i) {
    const Index v = subdomain.vertices[i];
    prescribed[i] = data.domain.fixed[v] || data.on_internal_boundary(f.cells, v);
  }
  for (Index c : f.cells) {
    const Index center = subdomain.local(data.partition.center[data.cells.cell_cluster[c]]);
    if (center >= 0) prescribed[center] = 1;
  }
  prescribe(subdomain, values);
  // K u = 0 at the free vertices of the union.
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

// phi_i = u_i / (sum_j u_j + u_DBC) (SMS, eqs. 9 and 11), then the extension to vertices where this sum vanishes.
HandleBasis finish_basis(const HandleConstruction& data, std::vector<HandleFunction>& functions,
                         const std::vector<Index>& handle_cluster, const VecX& dirichlet, SmsReport& report) {
  std::vector<SparseFunction> positive;
  std::vector<std::vector<Index>> subdomain;
  for (HandleFunction& f : functions) {
    count_function(f, report);
    positive.push_back(std::move(f.positive));
    subdomain.push_back(std::move(f.cells));
  }
  WeightTable table = normalised(positive, dirichlet, data.domain.fixed);
  report.extended = extend(data.domain, data.graph, data.stiffness, subdomain, table);
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
