#include "sinew/linalg/ordering.h"

#include <limits>

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

Ordering nested_dissection(const BlockPattern& pattern) {
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
  options[METIS_OPTION_COMPRESS] = 0;  // no two vertices of a tet mesh have the same neighbours
  options[METIS_OPTION_NSEPS] = 2;     // the better of two separators at each level
  std::vector<idx_t> position(n);
  const auto lock = metis_lock();
  const int status = METIS_NodeND(&n, graph.begin.data(), graph.neighbours.data(), nullptr, options,
                                  result.order.data(), position.data());
  if (status != METIS_OK) throw SimulationError(fmt::format("METIS failed to order the matrix (status {})", status));
  return result;
}

}  // namespace

Ordering fill_reducing_order(const BlockPattern& pattern, OrderingMethod method) {
  if (pattern.rows <= 1) return {std::vector<Index>(pattern.rows, 0), OrderingMethod::minimum_degree};
  if (method == OrderingMethod::minimum_degree) return minimum_degree(pattern);
  if (method == OrderingMethod::nested_dissection) return nested_dissection(pattern);

  // METIS takes about 2e-5 s a vertex. Where a factorisation after minimum degree takes (at 2e10 flop/s) less than a
  // tenth of that, it cannot pay for itself in a few Newton iterations.
  Ordering degree = minimum_degree(pattern);
  const double degree_flops = predict_flops(pattern, degree.order);
  if (degree_flops / 2e10 < 0.1 * 2e-5 * pattern.rows) return degree;
  Ordering dissection = nested_dissection(pattern);
  return predict_flops(pattern, dissection.order) < degree_flops ? dissection : degree;
}

}  // namespace sinew
