#include "sinew/linalg/ordering.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include <amd.h>
#include <fmt/format.h>
#include <metis.h>

#include "sinew/core/error.h"
#include "sinew/linalg/metis_lock.h"
#include "sinew/linalg/symbolic_factor.h"

namespace sinew {
namespace {

// Both triangles without the diagonal, neighbours ascending.
struct Graph {
  std::vector<idx_t> begin, neighbours;
};

Graph full_graph(const BlockPattern& pattern) {
  const Index n = pattern.rows;
  const auto off_diagonal = static_cast<std::size_t>(pattern.block_count() - n);
  if (2 * off_diagonal > std::numeric_limits<idx_t>::max())
    throw SimulationError(code::factorization,
                          fmt::format("the direct solver takes matrices of at most 2^30 off-diagonal blocks, found {}; "
                                      "use a coarser mesh, or --method newton-pcg",
                                      off_diagonal));
  Graph graph;
  graph.begin.assign(static_cast<std::size_t>(n) + 1, 0);
  const auto for_each = [&](auto&& f) {
    for (Index row = 0; row < n; ++row)
      for (std::int64_t k = pattern.row_begin[row] + 1; k < pattern.row_begin[row + 1]; ++k) f(row, pattern.columns[k]);
  };
  for_each([&](Index i, Index j) {
    ++graph.begin[i + 1];
    ++graph.begin[j + 1];
  });
  for (Index i = 0; i < n; ++i) graph.begin[i + 1] += graph.begin[i];
  graph.neighbours.resize(2 * off_diagonal);
  std::vector<idx_t> cursor(graph.begin.begin(), graph.begin.end() - 1);
  for_each([&](Index i, Index j) {
    graph.neighbours[cursor[i]++] = j;
    graph.neighbours[cursor[j]++] = i;
  });
  return graph;
}

Ordering minimum_degree(const BlockPattern& pattern) {
  Ordering result{std::vector<Index>(pattern.rows), OrderingMethod::minimum_degree};
  const std::vector<int> begin(pattern.row_begin.begin(), pattern.row_begin.end());
  // One triangle with sorted rows is a matrix whose A + A^T AMD orders.
  const int status =
      amd_order(pattern.rows, begin.data(), pattern.columns.data(), result.order.data(), nullptr, nullptr);
  if (status != AMD_OK)
    throw SimulationError(
        code::factorization,
        fmt::format(
            "AMD failed to order the matrix (status {}); check the mesh with sinew check, or use --method newton-pcg",
            status));
  return result;
}

Ordering nested_dissection(const BlockPattern& pattern, std::vector<idx_t>& weights) {
  Graph graph = full_graph(pattern);
  auto n = static_cast<idx_t>(graph.begin.size()) - 1;
  Ordering result{std::vector<Index>(n), OrderingMethod::nested_dissection};
  if (graph.neighbours.empty()) {  // METIS divides by the number of edges
    for (idx_t i = 0; i < n; ++i) result.order[i] = i;
    return result;
  }
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_COMPRESS] = 0;  // Groups does that
  options[METIS_OPTION_NSEPS] = 2;     // the better of two separators at each level
  std::vector<idx_t> position(n);
  const MetisLock lock;
  const int status =
      METIS_NodeND(&n, graph.begin.data(), graph.neighbours.data(), weights.empty() ? nullptr : weights.data(), options,
                   result.order.data(), position.data());
  if (status != METIS_OK)
    throw SimulationError(
        code::factorization,
        fmt::format(
            "METIS failed to order the matrix (status {}); check the mesh with sinew check, or use --method newton-pcg",
            status));
  return result;
}

std::span<const Index> columns_from(const BlockPattern& pattern, std::int64_t begin, Index row) {
  return std::span(pattern.columns).subspan(begin, pattern.row_begin[row + 1] - begin);
}

// Consecutive rows with the same neighbours, as the functions of a handle have: elimination may take them together.
struct Groups {
  std::vector<Index> first;  // rows, and one past the last
  BlockPattern pattern;      // of groups

  explicit Groups(const BlockPattern& rows) {
    for (Index i = 0; i < rows.rows; ++i) {
      const bool same = i > 0 && std::ranges::equal(columns_from(rows, rows.row_begin[i - 1] + 1, i - 1),
                                                    columns_from(rows, rows.row_begin[i], i));
      if (!same) first.push_back(i);
    }
    first.push_back(rows.rows);
  }

  Index count() const { return static_cast<Index>(first.size()) - 1; }

  void find_pattern(const BlockPattern& rows) {
    std::vector<Index> group(rows.rows);
    for (Index g = 0; g < count(); ++g) std::fill(group.begin() + first[g], group.begin() + first[g + 1], g);
    pattern.rows = count();
    pattern.row_begin = {0};
    for (Index g = 0; g < count(); ++g) {
      Index last = -1;
      for (const Index column : columns_from(rows, rows.row_begin[first[g]], first[g]))
        if (group[column] != last) pattern.columns.push_back(last = group[column]);
      pattern.row_begin.push_back(static_cast<std::int64_t>(pattern.columns.size()));
    }
  }

  std::vector<idx_t> sizes() const {
    std::vector<idx_t> sizes(count());
    for (Index g = 0; g < count(); ++g) sizes[g] = first[g + 1] - first[g];
    return sizes;
  }

  // An order of groups as one of rows.
  Ordering expand(const Ordering& of_groups) const {
    Ordering result{{}, of_groups.method};
    result.order.reserve(first.back());
    for (const Index g : of_groups.order)
      for (Index i = first[g]; i < first[g + 1]; ++i) result.order.push_back(i);
    return result;
  }
};

// METIS takes about 2e-5 s a vertex. Where a factorisation after minimum degree takes (at 2e10 flop/s) less than a
// tenth of that, it cannot pay for itself in a few Newton iterations.
bool worth_dissection(double degree_flops, Index vertices) {
  return degree_flops / 2e10 >= 0.1 * 2e-5 * vertices;
}

// graph: whose vertices are ordered; expand: an order of these as one of the pattern's rows; weights: rows of each
// vertex, empty: one.
template <class Expand>
Ordering choose_order(const BlockPattern& pattern, const BlockPattern& graph, std::vector<idx_t> weights,
                      OrderingMethod method, Expand&& expand) {
  if (method == OrderingMethod::nested_dissection) return expand(nested_dissection(graph, weights));
  Ordering degree = expand(minimum_degree(graph));
  if (method == OrderingMethod::minimum_degree) return degree;
  const double degree_flops = predict_flops(pattern, degree.order);
  if (!worth_dissection(degree_flops, graph.rows)) return degree;
  Ordering dissection = expand(nested_dissection(graph, weights));
  return predict_flops(pattern, dissection.order) < degree_flops ? dissection : degree;
}

}  // namespace

Ordering fill_reducing_order(const BlockPattern& pattern, OrderingMethod method) {
  if (pattern.rows <= 1) return {std::vector<Index>(pattern.rows, 0), OrderingMethod::minimum_degree};
  Groups groups(pattern);
  // In meshes equal rows are accidents.
  if (2 * groups.count() > pattern.rows)
    return choose_order(pattern, pattern, {}, method, [](Ordering order) { return order; });
  if (groups.count() == 1) return groups.expand({{0}, OrderingMethod::minimum_degree});
  groups.find_pattern(pattern);
  return choose_order(pattern, groups.pattern, groups.sizes(), method,
                      [&](const Ordering& order) { return groups.expand(order); });
}

}  // namespace sinew
