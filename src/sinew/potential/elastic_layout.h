// Arranges tets for the vectorised elastic kernels: rest shapes in groups of lanes, and chunks of consecutive tets.
// Each chunk has its own numbering of vertices and edges. Its sums therefore stay in the first-level cache until they
// are added to gradient and matrix.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/material/lanes.h"
#include "sinew/model/system.h"

namespace sinew {

// Tets are packed lane_count at a time ("packs"); each chunk starts a new pack. The tets of a pack lie apart in their
// chunk and seldom share a vertex, because adding twice in a row to one block would wait for the first store. The
// vertices of a tet are sorted ascending, so that all of its blocks lie in the upper triangle; F does not depend on
// their order. Storage in bytes for each tet: about 72 (shape) + 8 (volume) + 8 (vertices) + 12 (edges) + 15 (tables of
// the chunks).
class ElasticLayout {
 public:
  using LocalIndex = std::uint16_t;  // number of a vertex or an edge within a chunk

  static constexpr Index max_chunk_tets = 256;
  static constexpr Index max_chunk_vertices = 4 * max_chunk_tets, max_chunk_edges = 6 * max_chunk_tets;

  // Consecutive tets of one group.
  struct Chunk {
    Index group = 0;
    Index tet_begin = 0, tet_end = 0;
    Index pack_begin = 0;
    Index vertex_begin = 0, vertex_end = 0;  // range in chunk_vertices
    Index edge_begin = 0, edge_end = 0;      // range in chunk_edges

    Index size() const { return tet_end - tet_begin; }
    // Lane l of the chunk's pack p holds its tet l * packs() + p, if the chunk has such a tet.
    Index packs() const { return (size() + lane_count - 1) / lane_count; }
    Index pack_of(Index local) const { return pack_begin + local % packs(); }
    Index lane_of(Index local) const { return local / packs(); }
  };

  struct LocalEdge {
    LocalIndex row, column;  // row < column
    bool operator==(const LocalEdge&) const = default;
  };

  // rest: 3 x n [m], tets: 4 x m, groups: consecutive ranges from the first tet on. Throws InputError if a tet has no
  // volume.
  ElasticLayout(const Points& rest, const Tets& tets, std::span<const ElasticGroup> groups, Index dynamic_count);

  Index tet_count() const { return tet_count_; }
  Index dynamic_count() const { return dynamic_count_; }
  std::span<const double> volumes() const { return {volumes_.data(), static_cast<std::size_t>(tet_count_)}; }
  const std::vector<Chunk>& chunks() const { return chunks_; }
  Index chunk_of(Index tet) const;

  // The vertices of a chunk, ascending, and its edges, sorted by row.
  std::span<const Index> chunk_vertices(const Chunk& chunk) const {
    return std::span(chunk_vertices_).subspan(chunk.vertex_begin, chunk.vertex_end - chunk.vertex_begin);
  }
  std::span<const LocalEdge> chunk_edges(const Chunk& chunk) const {
    return std::span(chunk_edges_).subspan(chunk.edge_begin, chunk.edge_end - chunk.edge_begin);
  }

  // Arrays of a pack: shape 9 x lane_count, vertices 4 x lane_count, edges 6 x lane_count in the order of
  // tet_edges. Lanes past the end of the chunk repeat its last tet.
  const double* shape(Index pack) const { return shapes_.data() + std::size_t{9} * lane_count * pack; }
  const LocalIndex* vertices(Index pack) const { return vertices_.data() + std::size_t{4} * lane_count * pack; }
  const LocalIndex* edges(Index pack) const { return edges_.data() + std::size_t{6} * lane_count * pack; }

  // Returns, for each chunk, the last earlier chunk at each of its vertices: predecessors[begin[chunk]] ..
  // predecessors[begin[chunk + 1] - 1].
  void find_predecessors(std::vector<Index>& begin, std::vector<Index>& predecessors) const;

  // Sets the slots in `pattern` of the edges of all chunks; -1 for edges without equations. O(edges + length of the
  // rows).
  void find_slots(const BlockPattern& pattern, std::vector<Index>& slots) const;

 private:
  void make_chunks(std::span<const ElasticGroup> groups);
  void pack_tets(const Points& rest, const Tets& tets);
  void number_chunks(const Tets& tets);

  Index tet_count_ = 0, dynamic_count_ = 0, pack_count_ = 0;
  std::vector<double> shapes_, volumes_;
  std::vector<LocalIndex> vertices_, edges_;
  std::vector<Chunk> chunks_;
  std::vector<Index> chunk_vertices_;
  std::vector<LocalEdge> chunk_edges_;
};

}  // namespace sinew
