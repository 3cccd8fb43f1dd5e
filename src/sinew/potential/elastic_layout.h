// Tets arranged for the vectorised elastic kernels: rest shapes in groups of lanes, chunks of consecutive tets coloured
// so that chunks of one colour share no vertex, and the blocks of the matrix that each tet touches.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/material/lanes.h"
#include "sinew/model/system.h"

namespace sinew {

// Tets are packed lane_count at a time ("packs"), each group of tets starting a new pack. Within a tet the vertices are
// sorted ascending, so that all of its blocks lie in the upper triangle; F does not depend on their order.
// Storage: about 72 (shape) + 8 (volume) + 16 (vertices) + 24 (blocks) + 20 (tables) bytes a tet.
class ElasticLayout {
 public:
  // Consecutive tets of one group.
  struct Chunk {
    Index group = 0;
    Index tet_begin = 0, tet_end = 0;
    Index pack_begin = 0;
  };

  // rest: 3 x n [m], tets: 4 x m, groups: consecutive and covering all tets. Throws InputError for a tet without
  // volume.
  ElasticLayout(const Points& rest, const Tets& tets, std::span<const ElasticGroup> groups, Index dynamic_count);

  Index tet_count() const { return tet_count_; }
  Index dynamic_count() const { return dynamic_count_; }
  std::span<const double> volumes() const { return {volumes_.data(), static_cast<std::size_t>(tet_count_)}; }
  const std::vector<Chunk>& chunks() const { return chunks_; }
  // Chunk ids by colour: colours() lists of chunks that share no vertex.
  Index colors() const { return static_cast<Index>(color_begin_.size()) - 1; }
  std::span<const Index> chunks_of_color(Index color) const {
    return std::span(colored_chunks_).subspan(color_begin_[color], color_begin_[color + 1] - color_begin_[color]);
  }
  Index chunk_of(Index tet) const;

  // Arrays of a pack: shape 9 x lane_count, vertices 4 x lane_count, edges 6 x lane_count; volume from the tet on,
  // readable for a whole pack.
  const double* shape(Index pack) const { return shapes_.data() + std::size_t{9} * lane_count * pack; }
  const Index* vertices(Index pack) const { return vertices_.data() + std::size_t{4} * lane_count * pack; }
  const Index* edges(Index pack) const { return edges_.data() + std::size_t{6} * lane_count * pack; }
  const double* volume(Index tet) const { return volumes_.data() + tet; }

  // The edges (row < column) of all tets as a pattern; edge ids are its slots.
  const BlockPattern& edge_pattern() const { return *edge_pattern_; }

  // Slots in `pattern` of all edge ids, -1 for those without equations. O(edges + length of the rows).
  void find_slots(const BlockPattern& pattern, std::vector<std::int64_t>& slots) const;

 private:
  void pack_tets(const Points& rest, const Tets& tets, std::span<const ElasticGroup> groups);
  void number_edges();
  void make_chunks(std::span<const ElasticGroup> groups);
  void color_chunks();

  Index tet_count_ = 0, dynamic_count_ = 0, pack_count_ = 0, vertex_count_ = 0;
  std::vector<double> shapes_, volumes_;
  std::vector<Index> vertices_, edges_;
  std::shared_ptr<const BlockPattern> edge_pattern_;
  std::vector<Chunk> chunks_;
  std::vector<Index> color_begin_, colored_chunks_;
};

}  // namespace sinew
