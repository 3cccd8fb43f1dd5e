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
    throw SimulationError(
        fmt::format("the direct solver takes at most 2^30 off-diagonal blocks, found {}; use pcg", off_diagonal));
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
  if (status != AMD_OK) throw SimulationError(fmt::format("AMD failed to order the matrix (status {})", status));
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
  const auto lock = metis_lock();
  const int status = METIS_NodeND(&n, graph.begin.data(), graph.neighbours.data(), weights.data(), options,
                                  result.order.data(), position.data());
  if (status != METIS_OK) throw SimulationError(fmt::format("METIS failed to order the matrix (status {})", status));
  return result;
}

// Consecutive rows with the same neighbours, as the functions of a handle have: elimination may take them together.
struct Groups {
  std::vector<Index> first;  // rows, and one past the last
  BlockPattern pattern;      // of groups

  explicit Groups(const BlockPattern& rows) {
    find(rows);
    if (2 * pattern.rows <= rows.rows) return;  // else these are accidents, and one by one is as good
    first.resize(static_cast<std::size_t>(rows.rows) + 1);
    std::iota(first.begin(), first.end(), 0);
    pattern = rows;
  }

  void find(const BlockPattern& rows) {
    const auto columns_from = [&](std::int64_t begin, Index row) {
      return std::span(rows.columns).subspan(begin, rows.row_begin[row + 1] - begin);
    };
    std::vector<Index> group(rows.rows);
    for (Index i = 0; i < rows.rows; ++i) {
      const bool same = i > 0 && std::ranges::equal(columns_from(rows.row_begin[i - 1] + 1, i - 1),
                                                    columns_from(rows.row_begin[i], i));
      if (!same) first.push_back(i);
      group[i] = static_cast<Index>(first.size()) - 1;
    }
    pattern.rows = static_cast<Index>(first.size());
    pattern.row_begin = {0};
    for (const Index row : first) {
      for (const Index column : columns_from(rows.row_begin[row], row)) {
        const bool new_one = static_cast<std::int64_t>(pattern.columns.size()) == pattern.row_begin.back() ||
                             pattern.columns.back() != group[column];
        if (new_one) pattern.columns.push_back(group[column]);
      }
      pattern.row_begin.push_back(static_cast<std::int64_t>(pattern.columns.size()));
    }
    first.push_back(rows.rows);
  }

  std::vector<idx_t> sizes() const {
    std::vector<idx_t> sizes(pattern.rows);
    for (Index g = 0; g < pattern.rows; ++g) sizes[g] = first[g + 1] - first[g];
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

}  // namespace

Ordering fill_reducing_order(const BlockPattern& pattern, OrderingMethod method) {
  if (pattern.rows <= 1) return {std::vector<Index>(pattern.rows, 0), OrderingMethod::minimum_degree};
  const Groups groups(pattern);
  if (groups.pattern.rows == 1) return {groups.expand({{0}, OrderingMethod::minimum_degree})};
  std::vector<idx_t> sizes = groups.sizes();
  const auto minimum = [&] { return groups.expand(minimum_degree(groups.pattern)); };
  const auto dissected = [&] { return groups.expand(nested_dissection(groups.pattern, sizes)); };
  if (method == OrderingMethod::minimum_degree) return minimum();
  if (method == OrderingMethod::nested_dissection) return dissected();

  // METIS takes about 2e-5 s a vertex (here a group). Where a factorisation after minimum degree takes (at 2e10 flop/s)
  // less than a tenth of that, it cannot pay for itself in a few Newton iterations.
  Ordering degree = minimum();
  const double degree_flops = predict_flops(pattern, degree.order);
  if (degree_flops / 2e10 < 0.1 * 2e-5 * groups.pattern.rows) return degree;
  Ordering dissection = dissected();
  return predict_flops(pattern, dissection.order) < degree_flops ? dissection : degree;
}

}  // namespace sinew
