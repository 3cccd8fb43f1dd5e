#include "sinew/subspace/nodes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/mesh/surface.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

constexpr int sweeps = 3;              // over a node's two to three edges
constexpr double relaxation = 0.8;     // of a Jacobi step
constexpr double least_weight = 1e-3;  // smaller ones are left out: their step is below that of the functions at nodes
constexpr std::size_t chunk_vertices = 2048;

// Joins vertices of the same kind with their nearest root.
class Grouping {
 public:
  Grouping(const Domain& domain, const ClusterGraph& graph, const std::vector<double>& stiffness)
      : domain_(domain),
        graph_(graph),
        around_(vertex_tets(domain.tets, domain.vertex_count())),
        grade_(domain.vertex_count(), std::numeric_limits<int>::min()),
        root_(domain.vertex_count(), -1) {
    for (Index t = 0; t < domain.tet_count(); ++t) {
      const int grade = std::ilogb(stiffness[t]) / 3;  // about one a decade
      for (const Index v : domain.tets.col(t)) grade_[v] = std::max(grade_[v], grade);
    }
  }

  // Vertices with `single` set are roots of their own.
  std::vector<Index> roots(const Partition& partition, const std::vector<char>& single) {
    const Index n = domain_.vertex_count();
    for (Index v = 0; v < n; ++v)
      if (single[v]) root_[v] = v;
    // A maximal independent set among vertices of the same kind, the centres of clusters first.
    std::vector<char> beside(n, 0);
    const auto pick = [&](Index v) {
      if (root_[v] >= 0 || beside[v]) return;
      root_[v] = v;
      for_each_neighbour(v, [&](Index w) { beside[w] = 1; });
    };
    for (const Index v : partition.center) pick(v);
    for (Index v = 0; v < n; ++v) pick(v);
    // Every other vertex has a root beside it.
    std::vector<Index> root = root_;
    parallel_for(n, [&](std::size_t i) {
      const auto v = static_cast<Index>(i);
      if (root_[v] >= 0) return;
      std::pair<double, Index> best{std::numeric_limits<double>::infinity(), -1};
      for_each_neighbour(v, [&](Index w) {
        if (root_[w] == w)
          best = std::min(best, {(domain_.vertices.col(w) - domain_.vertices.col(v)).squaredNorm(), w});
      });
      root[v] = best.second;
    });
    return root;
  }

 private:
  bool alike(Index v, Index w) const {
    const auto a = graph_.vertex_clusters[v], b = graph_.vertex_clusters[w];
    return grade_[v] == grade_[w] && domain_.fixed[v] == domain_.fixed[w] && std::ranges::equal(a, b);
  }

  template <class F>
  void for_each_neighbour(Index v, F&& f) const {
    for (Index k = around_.offsets[v]; k < around_.offsets[v + 1]; ++k)
      for (const Index w : domain_.tets.col(around_.items[k]))
        if (w != v && alike(v, w)) f(w);
  }

  const Domain& domain_;
  const ClusterGraph& graph_;
  Incidence around_;
  std::vector<int> grade_;
  std::vector<Index> root_;
};

// n: whether the vertex's component keeps a node for each vertex.
std::vector<char> kept_vertices(const Domain& domain, const Partition& partition, const ClusterGraph& graph,
                                Index least_component) {
  const auto component_of = [&](std::size_t v) {
    const auto cells = graph.vertex_clusters[v];
    return cells.empty() ? -1 : graph.component[cells.front()];
  };
  std::vector<Index> vertices(domain.component_count, 0), clusters(domain.component_count, 0);
  for (Index v = 0; v < domain.vertex_count(); ++v)
    if (component_of(v) >= 0) ++vertices[component_of(v)];
  for (const Index center : partition.center) ++clusters[component_of(center)];
  std::vector<char> kept(domain.vertex_count());
  for (std::size_t v = 0; v < kept.size(); ++v) {
    const Index c = component_of(v);
    kept[v] =
        c < 0 || vertices[c] < least_component || vertices[c] / std::max<Index>(1, clusters[c]) < least_grouped_cluster;
  }
  return kept;
}

// Sparse sums of rows of weights: dense by handle, with a list of those that are not zero.
class RowSum {
 public:
  void start(std::size_t handles) {
    value_.resize(std::max(value_.size(), handles), 0.0);
    used_.clear();
  }

  void add(const WeightTable& table, std::size_t row, double factor) {
    for (auto e = table.begin[row]; e < table.begin[row + 1]; ++e) {
      double& value = value_[table.handle[e]];
      if (value == 0) used_.push_back(table.handle[e]);
      value += factor * table.weight[e];
    }
  }

  // f(handle, value) of the entries, ascending handles; clears them.
  template <class F>
  void take(F&& f) {
    std::sort(used_.begin(), used_.end());
    for (const Index i : used_) {
      const double value = value_[i];
      value_[i] = 0;
      f(i, value);
    }
    used_.clear();
  }

 private:
  std::vector<double> value_;
  std::vector<Index> used_;
};

class Smoothing {
 public:
  Smoothing(const Domain& domain, const ClusterGraph& graph, const std::vector<double>& stiffness, const Nodes& nodes,
            const std::vector<std::vector<Index>>& subdomain, const std::vector<char>& extended)
      : domain_(domain),
        graph_(graph),
        stiffness_(stiffness),
        nodes_(nodes),
        subdomain_(subdomain),
        extended_(extended),
        around_(vertex_tets(domain.tets, domain.vertex_count())) {}

  // w_v <- (1 - omega) w_v + omega sum_j a_vj w_j / sum_j a_vj with a = max(0, -L): a Jacobi step for L w = 0, limited
  // to the handles that may reach v and scaled to the sum one.
  WeightTable sweep(const WeightTable& table) const {
    const auto n = static_cast<std::size_t>(domain_.vertex_count());
    struct Part {
      std::vector<Index> handle, size;
      std::vector<double> weight;
    };
    std::vector<Part> parts((n + chunk_vertices - 1) / chunk_vertices);
    WeightTable result;
    result.dirichlet = table.dirichlet;
    result.unreached = table.unreached;
    parallel_chunks(n, chunk_vertices, [&](std::size_t first, std::size_t last) {
      thread_local RowSum sum;
      thread_local std::vector<std::pair<Index, double>> edges;
      sum.start(subdomain_.size());
      Part& part = parts[first / chunk_vertices];
      for (std::size_t v = first; v < last; ++v) {
        const std::size_t begin = part.handle.size();
        double dirichlet_weight = table.dirichlet[static_cast<Index>(v)];
        if (domain_.fixed[v]) {
          part.size.push_back(0);
          continue;
        }
        find_edges(static_cast<Index>(v), edges);
        double total = 0;
        for (const auto& [w, a] : edges) total += a;
        sum.add(table, v, total > 0 ? 1 - relaxation : 1);
        dirichlet_weight *= total > 0 ? 1 - relaxation : 1;
        for (const auto& [w, a] : edges) {
          sum.add(table, w, relaxation * a / total);
          dirichlet_weight += relaxation * a / total * table.dirichlet[w];
        }
        double kept = dirichlet_weight;
        sum.take([&](Index handle, double value) {
          if (value < least_weight || !may_reach(handle, v)) return;
          part.handle.push_back(handle);
          part.weight.push_back(value);
          kept += value;
        });
        if (part.handle.size() == begin) {  // all it had is out of reach
          dirichlet_weight = kept = table.dirichlet[static_cast<Index>(v)];
          for (auto e = table.begin[v]; e < table.begin[v + 1]; ++e) {
            part.handle.push_back(table.handle[e]);
            part.weight.push_back(table.weight[e]);
            kept += table.weight[e];
          }
        }
        for (std::size_t e = begin; e < part.weight.size(); ++e) part.weight[e] /= kept;
        result.dirichlet[static_cast<Index>(v)] = kept > 0 ? dirichlet_weight / kept : 1;
        part.size.push_back(static_cast<Index>(part.handle.size() - begin));
      }
    });
    result.begin.assign(1, 0);
    for (Part& part : parts) {
      for (const Index size : part.size) result.begin.push_back(result.begin.back() + size);
      result.handle.insert(result.handle.end(), part.handle.begin(), part.handle.end());
      result.weight.insert(result.weight.end(), part.weight.begin(), part.weight.end());
      part = {};
    }
    return result;
  }

 private:
  bool may_reach(Index handle, std::size_t v) const {
    const std::vector<Index>& cells = subdomain_[handle];
    const auto within = [&](Index c) {
      return graph_.component[c] != graph_.component[cells.front()] ||
             std::binary_search(cells.begin(), cells.end(), c);
    };
    const auto around = graph_.vertex_clusters[v];
    return extended_[nodes_.node[v]] ? std::any_of(around.begin(), around.end(), within)
                                     : std::all_of(around.begin(), around.end(), within);
  }

  // The neighbours j of v with -L_vj > 0, L summed over the tets at v.
  void find_edges(Index v, std::vector<std::pair<Index, double>>& edges) const {
    edges.clear();
    for (Index k = around_.offsets[v]; k < around_.offsets[v + 1]; ++k) {
      const Index t = around_.items[k];
      const auto gradients = hat_gradients(domain_.vertices, domain_.tets, t);
      const double scale = domain_.volume[t] * stiffness_[t];
      int own = 0;
      while (domain_.tets(own, t) != v) ++own;
      for (int i = 0; i < 4; ++i)
        if (i != own) edges.emplace_back(domain_.tets(i, t), -scale * gradients.col(own).dot(gradients.col(i)));
    }
    std::sort(edges.begin(), edges.end());
    std::size_t count = 0;
    for (std::size_t e = 0; e < edges.size();) {
      std::pair<Index, double> edge = edges[e];
      for (++e; e < edges.size() && edges[e].first == edge.first; ++e) edge.second += edges[e].second;
      if (edge.second > 0) edges[count++] = edge;
    }
    edges.resize(count);
  }

  const Domain& domain_;
  const ClusterGraph& graph_;
  const std::vector<double>& stiffness_;
  const Nodes& nodes_;
  const std::vector<std::vector<Index>>& subdomain_;
  const std::vector<char>& extended_;
  Incidence around_;
};

}  // namespace

Nodes single_nodes(const Domain& domain, const Partition& partition) {
  Nodes nodes;
  nodes.node.resize(domain.vertex_count());
  std::iota(nodes.node.begin(), nodes.node.end(), 0);
  nodes.root = nodes.node;
  nodes.fixed = domain.fixed;
  nodes.center = partition.center;
  return nodes;
}

Nodes group_vertices(const Domain& domain, const Partition& partition, const ClusterGraph& graph,
                     const std::vector<double>& stiffness, Index least_component) {
  const std::vector<char> kept = kept_vertices(domain, partition, graph, least_component);
  if (std::ranges::count(kept, 0) == 0) return single_nodes(domain, partition);
  Nodes nodes;
  nodes.node = Grouping(domain, graph, stiffness).roots(partition, kept);
  std::vector<Index> number(nodes.node.size(), -1);
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (nodes.node[v] != static_cast<Index>(v)) continue;
    number[v] = nodes.count();
    nodes.root.push_back(static_cast<Index>(v));
    nodes.fixed.push_back(domain.fixed[v]);
  }
  for (Index& v : nodes.node) v = number[v];
  for (const Index v : partition.center) nodes.center.push_back(nodes.node[v]);
  return nodes;
}

ClusterGraph graph_of_nodes(const ClusterGraph& graph, const Nodes& nodes) {
  ClusterGraph result;
  result.tets = graph.tets;
  result.neighbours = graph.neighbours;
  result.component = graph.component;
  // The vertices of a node are on the same cells.
  result.vertex_clusters.begin.assign(1, 0);
  for (const Index v : nodes.root) {
    const auto cells = graph.vertex_clusters[v];
    result.vertex_clusters.items.insert(result.vertex_clusters.items.end(), cells.begin(), cells.end());
    result.vertex_clusters.begin.push_back(static_cast<std::int64_t>(result.vertex_clusters.items.size()));
  }
  result.vertices = grouped(result.vertex_clusters.items, graph.cluster_count());
  parallel_for(result.vertices.items.size(), [&](std::size_t k) {
    const auto& begin = result.vertex_clusters.begin;
    const auto after = std::upper_bound(begin.begin(), begin.end(), std::int64_t{result.vertices.items[k]});
    result.vertices.items[k] = static_cast<Index>(after - begin.begin()) - 1;
  });
  return result;
}

WeightTable weights_of_vertices(const Domain& domain, const ClusterGraph& graph, const std::vector<double>& stiffness,
                                const Nodes& nodes, const std::vector<std::vector<Index>>& subdomain,
                                const std::vector<char>& extended, WeightTable table) {
  if (nodes.are_vertices()) return table;
  WeightTable result;
  result.begin.assign(1, 0);
  result.dirichlet.resize(domain.vertex_count());
  result.unreached.resize(domain.vertex_count());
  for (std::size_t v = 0; v < nodes.node.size(); ++v) {
    const Index i = nodes.node[v];
    const auto first = table.begin[i], last = table.begin[i + 1];
    result.handle.insert(result.handle.end(), table.handle.begin() + first, table.handle.begin() + last);
    result.weight.insert(result.weight.end(), table.weight.begin() + first, table.weight.begin() + last);
    result.begin.push_back(static_cast<std::int64_t>(result.handle.size()));
    result.dirichlet[static_cast<Index>(v)] = table.dirichlet[i];
    result.unreached[v] = table.unreached[i];
  }
  table = {};
  const Smoothing smoothing(domain, graph, stiffness, nodes, subdomain, extended);
  for (int sweep = 0; sweep < sweeps; ++sweep) result = smoothing.sweep(result);
  return result;
}

}  // namespace sinew
