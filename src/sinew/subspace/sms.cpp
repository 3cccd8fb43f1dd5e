#include "sinew/subspace/sms.h"

#include <algorithm>

#include "sinew/core/activity.h"
#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/subspace/handle_construction.h"

namespace sinew {
namespace {

// The subdomain T_i of a handle (SMS, section 3.4): the cells of its cluster and those across their faces, ascending.
std::vector<Index> with_neighbours(const HandleConstruction& data, Index cluster) {
  const auto own = data.cells.cluster_cells[cluster];
  std::vector<Index> cells(own.begin(), own.end());
  for (Index c : own) {
    const auto around = data.graph.neighbours[c];
    cells.insert(cells.end(), around.begin(), around.end());
  }
  sort_unique(cells);
  return cells;
}

// u_i of SMS, section 3.4: K u = 0 on T_i, u = 1 at the cluster's centre, 0 at the centres of the neighbours, at fixed
// vertices and on the internal boundary of T_i.
void solve_handle(const HandleConstruction& data, Index cluster, HandleFunction& f) {
  f.cells = with_neighbours(data, cluster);
  const Index center = data.nodes.center[cluster];
  solve_function(
      data, [&](const Subdomain& subdomain, VecX& values) { values[subdomain.local(center)] = 1; }, f);
  if (f.quality != BiharmonicQuality::failed) return;
  // Where the solve failed the indicator of the cluster stands in: it is sparse and is 1 at the centre.
  f.positive = {};
  std::vector<Index> nodes;
  for (Index c : data.cells.cluster_cells[cluster]) {
    const auto own = data.graph.vertices[c];
    nodes.insert(nodes.end(), own.begin(), own.end());
  }
  sort_unique(nodes);
  for (Index v : nodes) {
    if (v != center && (data.nodes.fixed[v] || data.on_internal_boundary(f.cells, v))) continue;
    f.positive.nodes.push_back(v);
    f.positive.values.push_back(1);
  }
}

// u_DBC of SMS, section 3.5.1, on one group of cells with fixed vertices: biharmonic, 1 at the fixed vertices, 0 at the
// centres of clusters and on the internal boundary.
void solve_dirichlet(const HandleConstruction& data, HandleFunction& f) {
  solve_function(
      data,
      [&](const Subdomain& subdomain, VecX& values) {
        for (Index i = 0; i < values.size(); ++i) values[i] = data.nodes.fixed[subdomain.nodes[i]] ? 1 : 0;
      },
      f);
}

// The cells with fixed vertices, in groups that are connected through faces.
std::vector<std::vector<Index>> dirichlet_groups(const HandleConstruction& data) {
  std::vector<char> open(data.graph.cluster_count(), 0);
  for (Index v = 0; v < data.nodes.count(); ++v) {
    if (!data.nodes.fixed[v]) continue;
    for (Index c : data.graph.vertex_clusters[v]) open[c] = 1;
  }
  std::vector<std::vector<Index>> groups;
  for (Index c = 0; c < data.graph.cluster_count(); ++c) {
    if (!open[c]) continue;
    open[c] = 0;
    std::vector<Index>& group = groups.emplace_back(1, c);
    for (std::size_t next = 0; next < group.size(); ++next) {
      for (Index other : data.graph.neighbours[group[next]]) {
        if (open[other]) group.push_back(other);
        open[other] = 0;
      }
    }
    std::sort(group.begin(), group.end());
  }
  return groups;
}

}  // namespace

// One independent solve for each handle and each group of fixed vertices, in parallel; then normalisation.
HandleBasis sms_basis(const Domain& domain, const Partition& partition, SmsReport* report, Index grouped_from) {
  SmsReport own;
  SmsReport& met = report ? *report : own;
  met = {};
  const HandleConstruction data(domain, partition, grouped_from);
  const std::vector<Index> handle_cluster = data.free_clusters();
  const auto groups = dirichlet_groups(data);

  std::vector<HandleFunction> functions(handle_cluster.size()), dirichlet_functions(groups.size());
  parallel_for(
      dirichlet_functions.size() + functions.size(),
      [&](std::size_t k) {
        if (k < dirichlet_functions.size()) {  // first: these may be the largest
          dirichlet_functions[k].cells = groups[k];
          solve_dirichlet(data, dirichlet_functions[k]);
        } else {
          solve_handle(data, handle_cluster[k - dirichlet_functions.size()], functions[k - dirichlet_functions.size()]);
          activity::advance();
        }
      },
      1);
  VecX dirichlet = VecX::Zero(data.nodes.count());
  for (const HandleFunction& f : dirichlet_functions) {
    count_function(f, met);
    for (std::size_t k = 0; k < f.positive.nodes.size(); ++k) {
      double& value = dirichlet[f.positive.nodes[k]];
      value = std::max(value, f.positive.values[k]);
    }
  }
  return finish_basis(data, functions, handle_cluster, dirichlet, met);
}

}  // namespace sinew
