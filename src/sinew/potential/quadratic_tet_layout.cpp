#include "sinew/potential/quadratic_tet_layout.h"

#include <algorithm>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/potential/chunk_tables.h"

namespace sinew {

namespace {

// Few tets a chunk on a small mesh, so that many threads find work; a multiple of a pack.
Index chunk_size(Index tets) {
  return std::clamp<Index>(tets / 400 / lane_count * lane_count, lane_count, QuadraticTetLayout::max_chunk_tets);
}

template <class F>
void for_each_lane(const QuadraticTetLayout::Chunk& chunk, F&& f) {
  for (Index p = 0; p < chunk.packs(); ++p)
    for (Index lane = 0; lane < lane_count; ++lane) f(chunk.pack_begin + p, lane);
}

// Edges of the tet of corners y_i = sum_a c_ia x_a of a point.
template <int q>
Mat3 edges_at_point(const Points& x, const Index* nodes) {
  double at[3 * quadratic_tet_nodes], corners[12];
  for (int a = 0; a < quadratic_tet_nodes; ++a)
    for (int i = 0; i < 3; ++i) at[3 * a + i] = x(i, nodes[a]);
  corners_at_point<q>(at, corners);
  Mat3 edges;
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i) edges(i, a) = corners[3 * (a + 1) + i] - corners[i];
  return edges;
}

}  // namespace

// Data of the tets in the order in which kernels read them. A tet costs 4 x 72 bytes of shapes, 4 x 16 of volumes, 20
// of nodes and 90 of pairs.
QuadraticTetLayout::QuadraticTetLayout(const Points& rest, const QuadraticTets& tets,
                                       std::span<const ElasticGroup> groups, Index dynamic_count)
    : tet_count_(static_cast<Index>(tets.cols())), dynamic_count_(dynamic_count) {
  make_chunks(groups);
  pack_shapes(rest, tets);
  number_chunks(tets);
}

// Cuts each group of tets, which share a material, into chunks of consecutive tets.
void QuadraticTetLayout::make_chunks(std::span<const ElasticGroup> groups) {
  const Index size = chunk_size(tet_count_);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (Index t = groups[g].tet_begin; t < groups[g].tet_end; t += size) {
      Chunk chunk;
      chunk.group = static_cast<Index>(g);
      chunk.tet_begin = t;
      chunk.tet_end = std::min(groups[g].tet_end, t + size);
      chunk.pack_begin = pack_count_;
      pack_count_ += chunk.packs();
      chunks_.push_back(chunk);
    }
  }
}

// D^-1 and det(D) / 24 of each point, D the edges of its corners y at rest.
void QuadraticTetLayout::pack_shapes(const Points& rest, const QuadraticTets& tets) {
  shapes_.resize(std::size_t{9} * lane_count * quadratic_tet_points * pack_count_);
  pack_volumes_.resize(std::size_t{lane_count} * quadratic_tet_points * pack_count_);
  volumes_.resize(std::size_t{quadratic_tet_points} * tet_count_);
  const auto pack_point = [&](const Chunk& chunk, Index pack, Index lane, int point, const Mat3& D) {
    const Index local = chunk.tet_of(pack, lane), tet = chunk.tet_begin + local;
    const double volume = D.determinant() / 24;
    const Mat3 B = D.inverse();
    if (!(volume > 0) || !B.allFinite())
      fail_input(
          code::mesh_flat,
          "quadratic tet {} (in the order of the simulation) is flat or turned inside out at a quadrature point; "
          "move its nodes on edges closer to the midpoints",
          tet);
    const std::size_t place = std::size_t{quadratic_tet_points} * pack + point;
    for (int k = 0; k < 9; ++k) shapes_[(9 * place + k) * lane_count + lane] = B(k / 3, k % 3);
    const bool past_end = (pack - chunk.pack_begin) * lane_count + lane >= chunk.size();
    pack_volumes_[place * lane_count + lane] = past_end ? 0.0 : volume;
    volumes_[std::size_t{quadratic_tet_points} * tet + point] = volume;
  };
  parallel_for(
      chunks_.size(),
      [&](std::size_t c) {
        const Chunk& chunk = chunks_[c];
        for_each_lane(chunk, [&](Index pack, Index lane) {
          const Index* nodes = tets.col(chunk.tet_begin + chunk.tet_of(pack, lane)).data();
          pack_point(chunk, pack, lane, 0, edges_at_point<0>(rest, nodes));
          pack_point(chunk, pack, lane, 1, edges_at_point<1>(rest, nodes));
          pack_point(chunk, pack, lane, 2, edges_at_point<2>(rest, nodes));
          pack_point(chunk, pack, lane, 3, edges_at_point<3>(rest, nodes));
        });
      },
      1);
}

// Numbers the vertices and pairs of each chunk in ascending order, in parallel, and appends the chunks' tables.
void QuadraticTetLayout::number_chunks(const QuadraticTets& tets) {
  nodes_.resize(std::size_t{quadratic_tet_nodes} * lane_count * pack_count_);
  pairs_.resize(std::size_t{quadratic_tet_pairs} * lane_count * pack_count_);
  std::vector<ChunkTables> tables(chunks_.size());
  parallel_for(
      chunks_.size(),
      [&](std::size_t c) {
        const Chunk& chunk = chunks_[c];
        std::vector<Index>& ids = tables[c].vertices;
        std::vector<std::uint32_t>& pairs = tables[c].pairs;
        for (Index t = chunk.tet_begin; t < chunk.tet_end; ++t)
          for (int a = 0; a < quadratic_tet_nodes; ++a) ids.push_back(tets(a, t));
        sort_unique(ids);
        for_each_lane(chunk, [&](Index pack, Index lane) {
          const Index tet = chunk.tet_begin + chunk.tet_of(pack, lane);
          LocalIndex* to = nodes_.data() + std::size_t{quadratic_tet_nodes} * lane_count * pack + lane;
          for (int a = 0; a < quadratic_tet_nodes; ++a) to[a * lane_count] = ChunkTables::position(ids, tets(a, tet));
        });
        // A pair is its two local numbers, ascending, in one word.
        const auto for_each_pair = [&](auto&& f) {
          for_each_lane(chunk, [&](Index pack, Index lane) {
            const LocalIndex* v = nodes(pack) + lane;
            for (int a = 0; a < quadratic_tet_nodes; ++a) {
              for (int b = a + 1; b < quadratic_tet_nodes; ++b) {
                const auto [low, high] = std::minmax(v[a * lane_count], v[b * lane_count]);
                f(pack, lane, quadratic_tet_pair(a, b), std::uint32_t{low} << 16 | high,
                  v[a * lane_count] > v[b * lane_count]);
              }
            }
          });
        };
        for_each_pair([&](Index, Index, int, std::uint32_t word, bool) { pairs.push_back(word); });
        sort_unique(pairs);
        for_each_pair([&](Index pack, Index lane, int k, std::uint32_t word, bool transposed) {
          pairs_[(std::size_t{quadratic_tet_pairs} * pack + k) * lane_count + lane] =
              static_cast<LocalIndex>(2 * ChunkTables::position(pairs, word) + transposed);
        });
      },
      1);
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    Chunk& chunk = chunks_[c];
    chunk.vertex_begin = static_cast<Index>(chunk_vertices_.size());
    chunk.pair_begin = static_cast<Index>(chunk_pairs_.size());
    chunk_vertices_.insert(chunk_vertices_.end(), tables[c].vertices.begin(), tables[c].vertices.end());
    for (std::uint32_t word : tables[c].pairs)
      chunk_pairs_.push_back({static_cast<LocalIndex>(word >> 16), static_cast<LocalIndex>(word)});
    chunk.vertex_end = static_cast<Index>(chunk_vertices_.size());
    chunk.pair_end = static_cast<Index>(chunk_pairs_.size());
  }
}

void QuadraticTetLayout::find_predecessors(std::vector<Index>& begin, std::vector<Index>& predecessors) const {
  find_chunk_predecessors(
      chunks_, [&](const Chunk& chunk) { return chunk_vertices(chunk); }, begin, predecessors);
}

void QuadraticTetLayout::find_slots(const BlockPattern& pattern, std::vector<Index>& slots) const {
  require_indexable(pattern);
  slots.resize(chunk_pairs_.size());
  parallel_for(
      chunks_.size(),
      [&](std::size_t c) {
        const Chunk& chunk = chunks_[c];
        const std::span<const LocalPair> pairs = chunk_pairs(chunk);
        find_pair_slots(pattern, dynamic_count_, chunk_vertices(chunk), pairs,
                        std::span(slots).subspan(chunk.pair_begin, pairs.size()));
      },
      1);
}

}  // namespace sinew
