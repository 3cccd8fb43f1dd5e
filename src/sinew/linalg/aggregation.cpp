#include "sinew/linalg/aggregation.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

struct StrongGraph {
  std::vector<std::int64_t> begin;
  std::vector<Index> column;

  std::span<const Index> neighbours(Index i) const {
    const auto k = static_cast<std::size_t>(i);
    return {column.data() + begin[k], static_cast<std::size_t>(begin[k + 1] - begin[k])};
  }
};

StrongGraph strong_graph(std::span<const std::int64_t> begin, std::span<const Index> column,
                         std::span<const float> size, double strong) {
  const std::size_t rows = begin.size() - 1;
  std::vector<float> largest(rows, 0.0f);
  parallel_for(rows, [&](std::size_t i) {
    for (auto s = static_cast<std::size_t>(begin[i]); s < static_cast<std::size_t>(begin[i + 1]); ++s)
      if (column[s] != static_cast<Index>(i)) largest[i] = std::max(largest[i], size[s]);
  });
  StrongGraph graph;
  graph.begin.reserve(rows + 1);
  graph.begin.push_back(0);
  graph.column.reserve(column.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (auto s = static_cast<std::size_t>(begin[i]); s < static_cast<std::size_t>(begin[i + 1]); ++s) {
      const auto j = static_cast<std::size_t>(column[s]);
      if (j != i && size[s] > strong * std::min(largest[i], largest[j])) graph.column.push_back(column[s]);
    }
    graph.begin.push_back(static_cast<std::int64_t>(graph.column.size()));
  }
  return graph;
}

// Appends the rows within `reach` couplings of `root` to `found`, by distance, and marks them in `seen`.
void ball(const StrongGraph& graph, Index root, int reach, std::vector<Index>& seen, std::vector<Index>& found) {
  found.assign(1, root);
  seen[static_cast<std::size_t>(root)] = root;
  std::size_t next = 0;
  for (int distance = 0; distance < reach; ++distance)
    for (const std::size_t end = found.size(); next < end; ++next)
      for (const Index j : graph.neighbours(found[next])) {
        if (seen[static_cast<std::size_t>(j)] == root) continue;
        seen[static_cast<std::size_t>(j)] = root;
        found.push_back(j);
      }
}

}  // namespace

Aggregates aggregate(std::span<const std::int64_t> begin, std::span<const Index> column, std::span<const float> size,
                     double strong, int reach) {
  const StrongGraph graph = strong_graph(begin, column, size, strong);
  const auto rows = static_cast<Index>(begin.size() - 1);
  // Roots: a maximal set of rows more than `reach` apart.
  std::vector<char> covered(static_cast<std::size_t>(rows), 0);
  std::vector<Index> seen(static_cast<std::size_t>(rows), -1), found, queue;
  Index lone = -1;  // the first row without couplings
  for (Index i = 0; i < rows; ++i) {
    if (covered[static_cast<std::size_t>(i)]) continue;
    const bool is_lone = graph.neighbours(i).empty();
    if (is_lone && lone >= 0) continue;
    if (is_lone) lone = i;
    queue.push_back(i);
    ball(graph, i, reach, seen, found);
    for (const Index j : found) covered[static_cast<std::size_t>(j)] = 1;
  }
  // Each row joins the root that a breadth-first search from all roots reaches it from.
  Aggregates result{static_cast<Index>(queue.size()), std::vector<Index>(static_cast<std::size_t>(rows), -1)};
  for (Index a = 0; a < result.count; ++a) result.of[static_cast<std::size_t>(queue[static_cast<std::size_t>(a)])] = a;
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (const Index j : graph.neighbours(queue[next])) {
      Index& own = result.of[static_cast<std::size_t>(j)];
      if (own >= 0) continue;
      own = result.of[static_cast<std::size_t>(queue[next])];
      queue.push_back(j);
    }
  for (Index& own : result.of)
    if (own < 0) own = result.of[static_cast<std::size_t>(lone)];
  return result;
}

}  // namespace sinew
