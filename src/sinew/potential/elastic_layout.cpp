#include "sinew/potential/elastic_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/material/tet_kernel.h"
#include "sinew/potential/chunk_tables.h"

namespace sinew {

namespace {

// Tets a chunk: enough chunks for many threads on a small mesh, and sums that fit the first-level cache on a large one.
// A multiple of two packs, which the kernels take at a time. Independent of the number of threads.
Index chunk_size(Index tets) {
  const Index step = 2 * lane_count;
  return std::clamp<Index>(tets / 400 / step * step, 4 * step, ElasticLayout::max_chunk_tets);
}

// Ascending corners, so that every edge of a tet lies in the upper triangle of the matrix. W depends on the shape, not
// on the order of the corners.
std::array<Index, 4> sorted_tet(const Tets& tets, Index tet) {
  std::array<Index, 4> v{tets(0, tet), tets(1, tet), tets(2, tet), tets(3, tet)};
  std::sort(v.begin(), v.end());
  return v;
}

// The tet of a lane; those past the end repeat the last one, so that they hold harmless numbers.
Index tet_at(const ElasticLayout::Chunk& chunk, Index pack, Index lane) {
  return std::min(chunk.tet_begin + lane * chunk.packs() + pack - chunk.pack_begin, chunk.tet_end - 1);
}

// Calls f(pack, lane) for all places of a chunk, those past its last tet included.
template <class F>
void for_each_lane(const ElasticLayout::Chunk& chunk, F&& f) {
  for (Index p = 0; p < chunk.packs(); ++p)
    for (Index lane = 0; lane < lane_count; ++lane) f(chunk.pack_begin + p, lane);
}

}  // namespace

// Data of the tets in the order in which kernels read them: chunks of consecutive tets of one material, in packs of
// lane_count, with numbers of vertices and edges local to the chunk (16 bit). A tet costs 72 bytes of shape, 8 of
// corners and 12 of edges.
ElasticLayout::ElasticLayout(const Points& rest, const Tets& tets, std::span<const ElasticGroup> groups,
                             Index dynamic_count)
    : tet_count_(static_cast<Index>(tets.cols())), dynamic_count_(dynamic_count) {
  make_chunks(groups);
  pack_tets(rest, tets);
  number_chunks(tets);
}

// Cuts each group of tets, which share a material, into chunks of consecutive tets.
void ElasticLayout::make_chunks(std::span<const ElasticGroup> groups) {
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

// Rest shapes D_m^-1, D_m = [x_1 - x_0, x_2 - x_0, x_3 - x_0], and rest volumes |det D_m| / 6 of all tets.
void ElasticLayout::pack_tets(const Points& rest, const Tets& tets) {
  shapes_.resize(std::size_t{9} * lane_count * pack_count_);
  volumes_.resize(tet_count_);
  const auto pack_tet = [&](const Chunk& chunk, Index pack, Index lane) {
    const Index tet = tet_at(chunk, pack, lane);
    const std::array<Index, 4> v = sorted_tet(tets, tet);
    Mat3 D;
    for (int a = 0; a < 3; ++a) D.col(a) = rest.col(v[a + 1]) - rest.col(v[0]);
    const double volume = std::abs(D.determinant()) / 6;
    const Mat3 B = D.inverse();
    if (!(volume > 0) || !B.allFinite())
      fail_input(code::mesh_flat, "tet {} (in the order of the simulation) has no volume; mesh the body again", tet);
    volumes_[tet] = volume;
    double* shape = shapes_.data() + std::size_t{9} * lane_count * pack + lane;
    for (int k = 0; k < 9; ++k) shape[k * lane_count] = B(k / 3, k % 3);
  };
  parallel_for(
      chunks_.size(),
      [&](std::size_t c) {
        const Chunk& chunk = chunks_[c];
        for_each_lane(chunk, [&](Index pack, Index lane) { pack_tet(chunk, pack, lane); });
      },
      1);
}

// Numbers the vertices and edges of each chunk in ascending order, in parallel, and appends the chunks' tables.
void ElasticLayout::number_chunks(const Tets& tets) {
  vertices_.resize(std::size_t{4} * lane_count * pack_count_);
  edges_.resize(std::size_t{6} * lane_count * pack_count_);
  std::vector<ChunkTables> tables(chunks_.size());
  parallel_for(
      chunks_.size(),
      [&](std::size_t c) {
        const Chunk& chunk = chunks_[c];
        // The distinct vertices of the chunk, ascending.
        std::vector<Index>& ids = tables[c].vertices;
        std::vector<std::uint32_t>& edges = tables[c].pairs;
        for (Index t = chunk.tet_begin; t < chunk.tet_end; ++t)
          for (int a = 0; a < 4; ++a) ids.push_back(tets(a, t));
        sort_unique(ids);
        // The local numbers of each tet's corners.
        for_each_lane(chunk, [&](Index pack, Index lane) {
          const std::array<Index, 4> v = sorted_tet(tets, tet_at(chunk, pack, lane));
          LocalIndex* to = vertices_.data() + std::size_t{4} * lane_count * pack + lane;
          for (int a = 0; a < 4; ++a) to[a * lane_count] = ChunkTables::position(ids, v[a]);
        });
        // An edge is its two local numbers in one word: sorting words sorts by row, then by column.
        const auto edge = [&](Index pack, Index lane, int e) {
          const LocalIndex* v = vertices(pack) + lane;
          return std::uint32_t{v[tet_edges[e][0] * lane_count]} << 16 | v[tet_edges[e][1] * lane_count];
        };
        for_each_lane(chunk, [&](Index pack, Index lane) {
          for (int e = 0; e < 6; ++e) edges.push_back(edge(pack, lane, e));
        });
        sort_unique(edges);
        for_each_lane(chunk, [&](Index pack, Index lane) {
          LocalIndex* to = edges_.data() + std::size_t{6} * lane_count * pack + lane;
          for (int e = 0; e < 6; ++e) to[e * lane_count] = ChunkTables::position(edges, edge(pack, lane, e));
        });
      },
      1);
  // All chunks' tables one after the other.
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    Chunk& chunk = chunks_[c];
    chunk.vertex_begin = static_cast<Index>(chunk_vertices_.size());
    chunk.edge_begin = static_cast<Index>(chunk_edges_.size());
    chunk_vertices_.insert(chunk_vertices_.end(), tables[c].vertices.begin(), tables[c].vertices.end());
    for (std::uint32_t e : tables[c].pairs)
      chunk_edges_.push_back({static_cast<LocalIndex>(e >> 16), static_cast<LocalIndex>(e)});
    chunk.vertex_end = static_cast<Index>(chunk_vertices_.size());
    chunk.edge_end = static_cast<Index>(chunk_edges_.size());
  }
  chunk_vertices_.shrink_to_fit();
  chunk_edges_.shrink_to_fit();
}

// Chunk of a tet, by bisection of the chunks' first tets.
Index ElasticLayout::chunk_of(Index tet) const {
  const auto after = std::upper_bound(chunks_.begin(), chunks_.end(), tet,
                                      [](Index t, const Chunk& chunk) { return t < chunk.tet_begin; });
  return static_cast<Index>(after - chunks_.begin()) - 1;
}

void ElasticLayout::find_predecessors(std::vector<Index>& begin, std::vector<Index>& predecessors) const {
  find_chunk_predecessors(
      chunks_, [&](const Chunk& chunk) { return chunk_vertices(chunk); }, begin, predecessors);
}

void ElasticLayout::find_slots(const BlockPattern& pattern, std::vector<Index>& slots) const {
  require_indexable(pattern);
  slots.resize(chunk_edges_.size());
  parallel_for(
      chunks_.size(),
      [&](std::size_t c) {
        const Chunk& chunk = chunks_[c];
        const std::span<const LocalEdge> pairs = chunk_edges(chunk);
        find_pair_slots(pattern, dynamic_count_, chunk_vertices(chunk), pairs,
                        std::span(slots).subspan(chunk.edge_begin, pairs.size()));
      },
      1);
}

}  // namespace sinew
