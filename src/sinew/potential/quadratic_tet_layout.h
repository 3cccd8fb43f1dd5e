// Arranges ten-node tets for their kernels, as elastic_layout.h does for linear ones: packs of lanes, and chunks with
// numbers of their own for vertices and pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/material/lanes.h"
#include "sinew/material/quadratic_tet_kernel.h"
#include "sinew/model/system.h"

namespace sinew {

class QuadraticTetLayout {
 public:
  using LocalIndex = std::uint16_t;

  static constexpr Index max_chunk_tets = 64;
  static constexpr Index max_chunk_vertices = quadratic_tet_nodes * max_chunk_tets;
  static constexpr Index max_chunk_pairs = quadratic_tet_pairs * max_chunk_tets;

  // Consecutive tets of one group.
  struct Chunk {
    Index group = 0;
    Index tet_begin = 0, tet_end = 0;
    Index pack_begin = 0;
    Index vertex_begin = 0, vertex_end = 0;  // range in chunk_vertices
    Index pair_begin = 0, pair_end = 0;      // range in chunk_pairs

    Index size() const { return tet_end - tet_begin; }
    Index packs() const { return (size() + lane_count - 1) / lane_count; }
    // The tet of a lane, counted from tet_begin; lanes past the end repeat the last tet.
    Index tet_of(Index pack, Index lane) const { return std::min((pack - pack_begin) * lane_count + lane, size() - 1); }
    int used(Index pack) const {
      return static_cast<int>(std::min<Index>(lane_count, size() - (pack - pack_begin) * lane_count));
    }
  };

  struct LocalPair {
    LocalIndex row, column;  // row < column
  };

  // rest: 3 x n [m], tets: 10 x m, groups: consecutive ranges from the first tet on. Throws InputError if the map from
  // the straight tet is not one-to-one at a quadrature point.
  QuadraticTetLayout(const Points& rest, const QuadraticTets& tets, std::span<const ElasticGroup> groups,
                     Index dynamic_count);

  Index tet_count() const { return tet_count_; }
  Index dynamic_count() const { return dynamic_count_; }
  const std::vector<Chunk>& chunks() const { return chunks_; }
  // Rest volume at each point of each tet, 4 m [m^3].
  std::span<const double> volumes() const { return volumes_; }

  std::span<const Index> chunk_vertices(const Chunk& chunk) const {
    return std::span(chunk_vertices_).subspan(chunk.vertex_begin, chunk.vertex_end - chunk.vertex_begin);
  }
  std::span<const LocalPair> chunk_pairs(const Chunk& chunk) const {
    return std::span(chunk_pairs_).subspan(chunk.pair_begin, chunk.pair_end - chunk.pair_begin);
  }

  // Arrays of a pack. Shape of a point: 9 x lane_count, by rows the inverse of the edges of the tet y at rest [1/m].
  // Volume: lane_count, 0 in lanes past the end. Nodes: 10 x lane_count. Pairs: 45 x lane_count, twice the pair's
  // number, plus one if its block is the transpose.
  const double* shape(Index pack, int point) const {
    return shapes_.data() + std::size_t{9} * lane_count * (std::size_t{quadratic_tet_points} * pack + point);
  }
  const double* volume(Index pack, int point) const {
    return pack_volumes_.data() + std::size_t{lane_count} * (std::size_t{quadratic_tet_points} * pack + point);
  }
  const LocalIndex* nodes(Index pack) const {
    return nodes_.data() + std::size_t{quadratic_tet_nodes} * lane_count * pack;
  }
  const LocalIndex* pairs(Index pack) const {
    return pairs_.data() + std::size_t{quadratic_tet_pairs} * lane_count * pack;
  }

  // The last earlier chunk at each vertex of each chunk: predecessors[begin[chunk]] .. predecessors[begin[chunk + 1]
  // - 1].
  void find_predecessors(std::vector<Index>& begin, std::vector<Index>& predecessors) const;
  // The slots in `pattern` of the pairs of all chunks; -1 for pairs without equations.
  void find_slots(const BlockPattern& pattern, std::vector<Index>& slots) const;

 private:
  void make_chunks(std::span<const ElasticGroup> groups);
  void pack_shapes(const Points& rest, const QuadraticTets& tets);
  void number_chunks(const QuadraticTets& tets);

  Index tet_count_ = 0, dynamic_count_ = 0, pack_count_ = 0;
  std::vector<double> shapes_, pack_volumes_, volumes_;
  std::vector<LocalIndex> nodes_, pairs_;
  std::vector<Chunk> chunks_;
  std::vector<Index> chunk_vertices_;
  std::vector<LocalPair> chunk_pairs_;
};

}  // namespace sinew
