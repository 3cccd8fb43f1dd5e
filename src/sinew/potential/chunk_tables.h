// Tables of chunks of elements, each with its own numbering of vertices and of pairs of vertices. Chunks of linear and
// of ten-node tets share them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/core/types.h"
#include "sinew/linalg/block_matrix.h"

namespace sinew {

// The vertices and pairs of a chunk, ascending; their positions in these lists are their numbers in the chunk.
struct ChunkTables {
  std::vector<Index> vertices;
  std::vector<std::uint32_t> pairs;  // row << 16 | column, row < column

  template <class T>
  static std::uint16_t position(const std::vector<T>& sorted, const T& value) {
    return static_cast<std::uint16_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
  }
};

// For each chunk, the last earlier chunk at each of its vertices: predecessors[begin[c]] .. predecessors[begin[c + 1] -
// 1]. If a chunk waits for these, sums at a vertex are added in the order of the chunks. One pass that remembers the
// last chunk at each vertex, O(vertices of all chunks). vertices_of(chunk): its vertices, ascending.
template <class Chunks, class F>
void find_chunk_predecessors(const Chunks& chunks, F&& vertices_of, std::vector<Index>& begin,
                             std::vector<Index>& predecessors) {
  Index largest = 0;
  for (const auto& chunk : chunks) largest = std::max(largest, vertices_of(chunk).back());
  std::vector<Index> last(static_cast<std::size_t>(largest) + 1, -1);  // chunk at each vertex
  std::vector<Index> found;
  begin.assign(1, 0);
  predecessors.clear();
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    found.clear();
    for (const Index v : vertices_of(chunks[c])) {
      if (last[v] >= 0) found.push_back(last[v]);
      last[v] = static_cast<Index>(c);
    }
    sort_unique(found);
    predecessors.insert(predecessors.end(), found.begin(), found.end());
    begin.push_back(static_cast<Index>(predecessors.size()));
  }
}

// Sets the block of the matrix for each pair of a chunk; -1 if its column has no equations. Pairs of a chunk and
// columns of a row of the pattern both ascend, so one merge finds all of a row.
template <class Pair>
void find_pair_slots(const BlockPattern& pattern, Index dynamic_count, std::span<const Index> vertices,
                     std::span<const Pair> pairs, std::span<Index> slots) {
  std::int64_t at = 0, end = 0;
  Index row = -1;
  for (std::size_t e = 0; e < pairs.size(); ++e) {
    const Index column = vertices[pairs[e].column];
    slots[e] = -1;
    if (column >= dynamic_count) continue;  // nor has the row, where it has no equations: it is less
    if (pairs[e].row != row) {
      row = pairs[e].row;
      at = pattern.row_begin[vertices[row]];
      end = pattern.row_begin[vertices[row] + 1];
    }
    while (at < end && pattern.columns[at] != column) ++at;
    if (at == end)
      throw Error(code::factorization,
                  "elastic energy: the pattern of the matrix lacks a pair of an element's vertices");
    slots[e] = static_cast<Index>(at);
  }
}

// Throws Error if slots in the pattern do not fit an Index.
inline void require_indexable(const BlockPattern& pattern) {
  if (pattern.block_count() > std::numeric_limits<Index>::max())
    throw Error(code::factorization, "the Hessian has more than 2^31 blocks of 3 x 3 numbers; use a coarser mesh");
}

}  // namespace sinew
