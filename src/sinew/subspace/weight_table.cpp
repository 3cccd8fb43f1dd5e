#include "sinew/subspace/weight_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// A vertex at which the sum of all functions is below this counts as unreached: the functions of a stiff part have
// ended there, and the remaining traces of soft handles, of about the ratio of the stiffnesses, would tie the parts
// together once they are normalised.
constexpr double least_sum = 0.1;
constexpr double noise = 1e-8;  // values below this are rounding of the solver; functions reach 1
constexpr int max_sweeps = 100;
constexpr double sweep_tolerance = 1e-7;

// The weights of a vertex while they are looked for; the fixed vertices count as handle `dirichlet_handle`, last.
using Row = std::vector<std::pair<Index, double>>;
constexpr Index dirichlet_handle = std::numeric_limits<Index>::max();

Row row_of(const WeightTable& table, std::size_t v) {
  Row row;
  for (auto e = table.begin[v]; e < table.begin[v + 1]; ++e) row.emplace_back(table.handle[e], table.weight[e]);
  if (table.dirichlet[static_cast<Index>(v)] > 0) {
    row.emplace_back(dirichlet_handle, table.dirichlet[static_cast<Index>(v)]);
  }
  return row;
}

// Merges entries of equal handles.
void merge(Row& row) {
  std::stable_sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t count = 0;
  for (const auto& entry : row) {
    if (count > 0 && row[count - 1].first == entry.first) {
      row[count - 1].second += entry.second;
    } else {
      row[count++] = entry;
    }
  }
  row.resize(count);
}

// Whether two ascending lists have an entry in common.
bool intersect(std::span<const Index> a, std::span<const Index> b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) return true;
    a[i] < b[j] ? ++i : ++j;
  }
  return false;
}

// The largest difference of weights, where a handle that is missing in a row has the weight zero.
double difference(const Row& a, const Row& b) {
  double worst = 0;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].first < b[j].first)) {
      worst = std::max(worst, a[i++].second);
    } else if (i == a.size() || b[j].first < a[i].first) {
      worst = std::max(worst, b[j++].second);
    } else {
      worst = std::max(worst, std::abs(a[i++].second - b[j++].second));
    }
  }
  return worst;
}

// The unreached vertices, numbered, with the edges that leave them.
struct Unreached {
  struct Edge {
    Index node;
    double weight;  // > 0
    int grade;      // of the stiffness, about one a decade
  };
  std::vector<Index> nodes;
  std::vector<Index> number;  // n, -1: reached
  std::vector<std::vector<Edge>> edges;
};

// The unreached vertices and, for each, the edges of its tets with weights k_e V_e^(1/3), which have the size of the
// Laplacian's entries but are positive on any tet: means with them keep signs and sums of weights.
Unreached unreached_nodes(const Domain& domain, const std::vector<Index>& node, const std::vector<double>& stiffness,
                          const WeightTable& table) {
  Unreached found;
  const auto n = static_cast<Index>(table.unreached.size());
  for (Index v = 0; v < n; ++v) {
    if (table.unreached[v]) found.nodes.push_back(v);
  }
  if (found.nodes.empty()) return found;
  found.number.assign(n, -1);
  for (std::size_t i = 0; i < found.nodes.size(); ++i) found.number[found.nodes[i]] = static_cast<Index>(i);
  found.edges.resize(found.nodes.size());
  for (Index t = 0; t < domain.tet_count(); ++t) {
    const int grade = std::ilogb(stiffness[t]) / 3;
    for (int i = 0; i < 4; ++i) {
      const Index own = found.number[node[domain.tets(i, t)]];
      if (own < 0) continue;
      for (int j = 0; j < 4; ++j) {
        const Index other = node[domain.tets(j, t)];
        if (other != node[domain.tets(i, t)])
          found.edges[own].push_back({other, stiffness[t] * std::cbrt(domain.volume[t]), grade});
      }
    }
  }
  return found;
}

// The order of the Gauss-Seidel sweeps: outwards from the vertices with weights, across the stiffest edges first and
// then by distance in edges. The first sweep then carries the weights along stiff parts, next to which soft neighbours
// count for nothing, and few sweeps are needed.
std::vector<Index> by_reach(const Unreached& found) {
  struct Entry {
    int grade;           // of the stiffest edge from those before
    std::int64_t place;  // in the queue
    Index vertex;
    bool operator<(const Entry& other) const {
      return grade != other.grade ? grade < other.grade : place > other.place;
    }
  };
  std::priority_queue<Entry> queue;
  std::int64_t places = 0;
  std::vector<int> best(found.nodes.size(), std::numeric_limits<int>::min());
  const auto offer = [&](Index i, int grade) {
    if (grade <= best[i]) return;
    best[i] = grade;
    queue.push({grade, places++, i});
  };
  for (std::size_t i = 0; i < found.nodes.size(); ++i) {
    for (const auto& edge : found.edges[i]) {
      if (found.number[edge.node] < 0) offer(static_cast<Index>(i), edge.grade);
    }
  }
  std::vector<Index> order;
  std::vector<char> taken(found.nodes.size(), 0);
  while (!queue.empty()) {
    const Index i = queue.top().vertex;
    queue.pop();
    if (std::exchange(taken[i], 1)) continue;
    order.push_back(i);
    for (const auto& edge : found.edges[i]) {
      const Index j = found.number[edge.node];
      if (j >= 0 && !taken[j]) offer(j, edge.grade);
    }
  }
  return order;
}

// Leaves out handles that may not reach the vertex, unless no other is left, and scales the others to sum to one.
void keep_allowed(Row& row, std::span<const Index> clusters, const std::vector<std::vector<Index>>& subdomain) {
  double all = 0, allowed = 0;
  for (const auto& [handle, weight] : row) {
    all += weight;
    if (handle == dirichlet_handle || intersect(clusters, subdomain[handle])) allowed += weight;
  }
  const bool some = allowed > 0;
  Row kept;
  for (const auto& [handle, weight] : row) {
    if (!some || handle == dirichlet_handle || intersect(clusters, subdomain[handle])) {
      kept.emplace_back(handle, weight / (some ? allowed : all));
    }
  }
  row.swap(kept);
}

// Rebuilds the table with the rows that were found.
void write_back(const Unreached& found, const std::vector<Row>& rows, WeightTable& table) {
  WeightTable result;
  result.begin.assign(table.begin.size(), 0);
  result.dirichlet = table.dirichlet;
  result.unreached = table.unreached;
  for (std::size_t v = 0; v + 1 < table.begin.size(); ++v) {
    if (found.number[v] < 0) {
      const auto first = table.begin[v], last = table.begin[v + 1];
      result.handle.insert(result.handle.end(), table.handle.begin() + first, table.handle.begin() + last);
      result.weight.insert(result.weight.end(), table.weight.begin() + first, table.weight.begin() + last);
    } else {
      result.dirichlet[static_cast<Index>(v)] = rows[found.number[v]].empty() ? 1 : 0;  // no handle anywhere near
      for (const auto& [handle, weight] : rows[found.number[v]]) {
        if (handle == dirichlet_handle) {
          result.dirichlet[static_cast<Index>(v)] = weight;
        } else {
          result.handle.push_back(handle);
          result.weight.push_back(weight);
        }
      }
    }
    result.begin[v + 1] = static_cast<std::int64_t>(result.handle.size());
  }
  table = std::move(result);
}

}  // namespace

// phi_i(v) = u_i(v) / (sum_j u_j(v) + u_DBC(v)) as rows by vertex, in two passes (count, fill). Values below noise are
// left out, and vertices whose sum is too small are marked as unreached.
WeightTable normalised(const std::vector<SparseFunction>& functions, const VecX& dirichlet,
                       const std::vector<char>& fixed) {
  const std::size_t n = fixed.size();
  WeightTable table;
  table.begin.assign(n + 1, 0);
  table.dirichlet = VecX::Zero(static_cast<Index>(n));
  table.unreached.assign(n, 0);
  // S(v) = sum_j u_j(v).
  VecX sum = VecX::Zero(static_cast<Index>(n));
  for (const SparseFunction& f : functions) {
    for (std::size_t k = 0; k < f.nodes.size(); ++k) sum[f.nodes[k]] += f.values[k];
  }
  // A weight counts where the vertex is free, S is above noise, and the value is no noise beside S.
  auto kept = [&](Index v, double value) {
    return !fixed[v] && sum[v] > noise && sum[v] + dirichlet[v] > least_sum && value > noise * sum[v];
  };
  // First pass: row lengths. Second pass: handles and values.
  for (const SparseFunction& f : functions) {
    for (std::size_t k = 0; k < f.nodes.size(); ++k) table.begin[f.nodes[k] + 1] += kept(f.nodes[k], f.values[k]);
  }
  for (std::size_t v = 0; v < n; ++v) table.begin[v + 1] += table.begin[v];
  table.handle.resize(static_cast<std::size_t>(table.begin[n]));
  table.weight.resize(table.handle.size());
  std::vector<std::int64_t> next(table.begin.begin(), table.begin.end() - 1);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const SparseFunction& f = functions[i];
    for (std::size_t k = 0; k < f.nodes.size(); ++k) {
      const Index v = f.nodes[k];
      if (!kept(v, f.values[k])) continue;
      table.handle[next[v]] = static_cast<Index>(i);
      table.weight[next[v]++] = f.values[k];
    }
  }
  // Division by the sum of what is kept, so that the weights and the Dirichlet part of a vertex add up to one.
  parallel_for(n, [&](std::size_t v) {
    const auto i = static_cast<Index>(v);
    const double dirichlet_weight = dirichlet[i] > noise * sum[i] ? dirichlet[i] : 0;
    double total = dirichlet_weight;
    for (auto e = table.begin[v]; e < table.begin[v + 1]; ++e) total += table.weight[e];
    for (auto e = table.begin[v]; e < table.begin[v + 1]; ++e) table.weight[e] /= total;
    if (fixed[v]) {
      table.dirichlet[i] = 1;
    } else if (table.begin[v] == table.begin[v + 1]) {
      table.unreached[v] = 1;
    } else {
      table.dirichlet[i] = dirichlet_weight / total;
    }
  });
  return table;
}

// Harmonic extension by Gauss-Seidel: w_v = sum_e k_e w_other / sum_e k_e over the edges e of each unreached vertex,
// limited to handles whose subdomain it belongs to, until no weight changes by more than sweep_tolerance.
Index extend(const Domain& domain, const std::vector<Index>& node, const ClusterGraph& graph,
             const std::vector<double>& stiffness, const std::vector<std::vector<Index>>& subdomain,
             WeightTable& table) {
  const Unreached found = unreached_nodes(domain, node, stiffness, table);
  if (found.nodes.empty()) return 0;
  const std::vector<Index> order = by_reach(found);
  std::vector<Row> rows(found.nodes.size());
  Row row;
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double change = 0;
    for (Index i : order) {
      // The mean of the neighbours' rows, weighted by k_e: those with weights of their own, and unreached ones so far.
      row.clear();
      for (const auto& edge : found.edges[i]) {
        const Index j = found.number[edge.node];
        for (const auto& [handle, weight] : j < 0 ? row_of(table, edge.node) : rows[j]) {
          row.emplace_back(handle, edge.weight * weight);
        }
      }
      merge(row);
      keep_allowed(row, graph.vertex_clusters[found.nodes[i]], subdomain);
      change = std::max(change, difference(row, rows[i]));
      rows[i] = row;
    }
    if (change < sweep_tolerance) break;
  }
  write_back(found, rows, table);
  return static_cast<Index>(found.nodes.size());
}

}  // namespace sinew
