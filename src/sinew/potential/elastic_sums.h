// Sums the element gradients and Hessians of a chunk in its own numbering. The sums fit the first-level cache and are
// aligned, so that most of a block is added as one vector.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "sinew/linalg/block_matrix.h"
#include "sinew/potential/elastic_batch.h"
#include "sinew/potential/elastic_layout.h"

namespace sinew::elastic_detail {

// Sums of one chunk, all zero between chunks. While a chunk is added, padding entries may hold any value, finite or
// not.
struct ChunkSums {
  alignas(64) double gradient[ElasticLayout::max_chunk_vertices][4];
  alignas(64) double diagonal[ElasticLayout::max_chunk_vertices][8];  // the lower triangles, as in TetHessian
  alignas(64) double edge[ElasticLayout::max_chunk_edges][8];
  alignas(64) double last[ElasticLayout::max_chunk_edges];
};

#ifdef __AVX512F__
// Calls f(lane, column) for the columns of an 8x8 block given by rows. Loads do half of the transposition.
template <class F>
[[gnu::always_inline]] inline void for_each_column(const Lanes* rows, F&& f) {
  const double* in = reinterpret_cast<const double*>(rows);
  for (int half = 0; half < 8; half += 4) {
    const auto halves = [&](int i, int j) {
      return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(in + 8 * i + half)),
                                _mm256_load_pd(in + 8 * j + half), 1);
    };
    const __m512d r02 = halves(0, 2), r13 = halves(1, 3), r46 = halves(4, 6), r57 = halves(5, 7);
    const __m512d even0 = _mm512_unpacklo_pd(r02, r13), odd0 = _mm512_unpackhi_pd(r02, r13);
    const __m512d even4 = _mm512_unpacklo_pd(r46, r57), odd4 = _mm512_unpackhi_pd(r46, r57);
    f(half, _mm512_shuffle_f64x2(even0, even4, 0x88));
    f(half + 1, _mm512_shuffle_f64x2(odd0, odd4, 0x88));
    f(half + 2, _mm512_shuffle_f64x2(even0, even4, 0xdd));
    f(half + 3, _mm512_shuffle_f64x2(odd0, odd4, 0xdd));
  }
}
#endif

// to[id[l]] += lane l of the first `used` rows; 8 rows must be readable. full: for all lanes, otherwise for the first
// `count`.
template <bool full, int used>
[[gnu::always_inline]] inline void add_columns(const Lanes* rows, const ElasticLayout::LocalIndex* id, int count,
                                               double (*to)[8]) {
#ifdef __AVX512F__
  for_each_column(rows, [&](int lane, __m512d column) {
    if (!full && lane >= count) return;
    double* at = to[id[lane]];
    _mm512_store_pd(at, _mm512_add_pd(_mm512_load_pd(at), column));
  });
#else
  for (int l = 0; l < (full ? lane_count : count); ++l)
    for (int k = 0; k < used; ++k) to[id[l]][k] += rows[k][l];
#endif
}

// Adds the gradients (12 entries for each tet) of one half of a batch.
template <bool full>
[[gnu::always_inline]] inline void add_gradient(const Lanes* gradient, const TetBatch::Half& half, ChunkSums& sums) {
#ifdef __AVX512F__
  for (int a = 0; a < 4; a += 2) {
    const Lanes* g = gradient + 3 * a;
    const Lanes rows[8] = {g[0], g[1], g[2], g[2], g[3], g[4], g[5], g[5]};
    for_each_column(rows, [&](int lane, __m512d column) {
      if (!full && lane >= half.used) return;
      double* at = sums.gradient[half.vertices[a * lane_count + lane]];
      _mm256_store_pd(at, _mm256_add_pd(_mm256_load_pd(at), _mm512_castpd512_pd256(column)));
      at = sums.gradient[half.vertices[(a + 1) * lane_count + lane]];
      _mm256_store_pd(at, _mm256_add_pd(_mm256_load_pd(at), _mm512_extractf64x4_pd(column, 1)));
    });
  }
#else
  for (int l = 0; l < (full ? lane_count : half.used); ++l)
    for (int a = 0; a < 4; ++a)
      for (int i = 0; i < 3; ++i) sums.gradient[half.vertices[a * lane_count + l]][i] += gradient[3 * a + i][l];
#endif
}

template <bool full>
[[gnu::always_inline]] inline void add_hessian(const TetHessian<Lanes>& h, const TetBatch::Half& half,
                                               ChunkSums& sums) {
  // The rows past a triangle are those of the next triangle or of the first edge. They are added to the padding.
#pragma GCC unroll 4
  for (int a = 0; a < 4; ++a)
    add_columns<full, 6>(h.diagonal[a], half.vertices + a * lane_count, half.used, sums.diagonal);
#pragma GCC unroll 6
  for (int e = 0; e < 6; ++e) add_columns<full, 8>(h.edge[e], half.edges + e * lane_count, half.used, sums.edge);
  const double* last = reinterpret_cast<const double*>(h.last);
#pragma GCC unroll 6
  for (int e = 0; e < 6; ++e)
#pragma GCC unroll 8
    for (int l = 0; l < (full ? lane_count : half.used); ++l)
      sums.last[half.edges[e * lane_count + l]] += last[e * lane_count + l];
}

// Adds one half of a batch: the gradients (12 entries for each tet), and the Hessians unless null.
inline void add_half(const Lanes* gradient, const TetHessian<Lanes>* hessian, const TetBatch::Half& half,
                     ChunkSums& sums) {
  const auto add = [&]<bool full>() {
    add_gradient<full>(gradient, half, sums);
    if (hessian) add_hessian<full>(*hessian, half, sums);
  };
  if (half.used == lane_count) return add.template operator()<true>();
  add.template operator()<false>();
}

// Adds the first 8 entries and the last entry to the 9 values of a block.
inline void add_block(const double* first, double last, double* to) {
#ifdef __AVX512F__
  _mm512_storeu_pd(to, _mm512_add_pd(_mm512_loadu_pd(to), _mm512_loadu_pd(first)));
#else
  for (int k = 0; k < 8; ++k) to[k] += first[k];
#endif
  to[8] += last;
}

// Adds a diagonal block, given by its lower triangle.
inline void add_diagonal_block(const double* d, double* to) {
#ifdef __AVX512F__
  const __m512i order = _mm512_set_epi64(4, 2, 4, 3, 1, 2, 1, 0);
  _mm512_storeu_pd(to, _mm512_add_pd(_mm512_loadu_pd(to), _mm512_permutexvar_pd(order, _mm512_load_pd(d))));
  to[8] += d[5];
#else
  const double full[8] = {d[0], d[1], d[2], d[1], d[3], d[4], d[2], d[4]};
  add_block(full, d[5], to);
#endif
}

// The arrays to which a chunk's sums are added.
struct ElasticTarget {
  Index rows;                    // vertices with equations
  double* g;                     // 3 x rows
  const std::int64_t* diagonal;  // by row: slot of the diagonal block
  const Index* edge_slots;       // by edge of all chunks: slot of its block
  double* values;                // values of the matrix; null: only the gradient
};

// Adds the sums of a chunk to the target, row by row, and zeroes them.
inline void flush(const ElasticLayout& layout, const ElasticLayout::Chunk& chunk, const ElasticTarget& target,
                  ChunkSums& sums) {
  const std::span<const Index> vertices = layout.chunk_vertices(chunk);
  const std::span<const ElasticLayout::LocalEdge> edges = layout.chunk_edges(chunk);
  const Index* slots = target.values ? target.edge_slots + chunk.edge_begin : nullptr;
  std::size_t e = 0;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const bool has_equations = vertices[v] < target.rows;
    if (has_equations)
      for (int i = 0; i < 3; ++i) target.g[std::size_t{3} * vertices[v] + i] += sums.gradient[v][i];
    std::fill_n(sums.gradient[v], 4, 0.0);
    if (!target.values) continue;
    if (has_equations) add_diagonal_block(sums.diagonal[v], target.values + 9 * target.diagonal[vertices[v]]);
    std::fill_n(sums.diagonal[v], 8, 0.0);
    for (; e < edges.size() && edges[e].row == v; ++e) {
      if (slots[e] >= 0) add_block(sums.edge[e], sums.last[e], target.values + std::size_t{9} * slots[e]);
      std::fill_n(sums.edge[e], 8, 0.0);
      sums.last[e] = 0;
    }
  }
}

// As flush(), but only for the vertices and edges of the tets `tets` of the chunk.
inline void flush_tets(const ElasticLayout& layout, const ElasticLayout::Chunk& chunk, std::span<const Index> tets,
                       const ElasticTarget& target, ChunkSums& sums) {
  const std::span<const Index> vertices = layout.chunk_vertices(chunk);
  for (const Index tet : tets) {
    const Index local = tet - chunk.tet_begin, pack = chunk.pack_of(local), lane = chunk.lane_of(local);
    for (int a = 0; a < 4; ++a) {
      const Index v = layout.vertices(pack)[a * lane_count + lane];
      if (vertices[v] < target.rows) {
        for (int i = 0; i < 3; ++i) target.g[std::size_t{3} * vertices[v] + i] += sums.gradient[v][i];
        if (target.values) add_diagonal_block(sums.diagonal[v], target.values + 9 * target.diagonal[vertices[v]]);
      }
      std::fill_n(sums.gradient[v], 4, 0.0);
      std::fill_n(sums.diagonal[v], 8, 0.0);
    }
    for (int e = 0; target.values && e < 6; ++e) {
      const Index edge = layout.edges(pack)[e * lane_count + lane];
      const Index slot = target.edge_slots[chunk.edge_begin + edge];
      if (slot >= 0) add_block(sums.edge[edge], sums.last[edge], target.values + std::size_t{9} * slot);
      std::fill_n(sums.edge[edge], 8, 0.0);
      sums.last[edge] = 0;
    }
  }
}

// Prefetches part `part` of `parts` of the blocks that flush() will touch, into the second-level cache. The first-level
// cache is left to the sums.
inline void prefetch_blocks(const ElasticLayout& layout, const ElasticLayout::Chunk& chunk, const ElasticTarget& target,
                            Index part, Index parts) {
  const auto fetch = [&](std::int64_t slot) {
    const double* block = target.values + 9 * slot;
    __builtin_prefetch(block, 0, 2);
    __builtin_prefetch(block + 8, 0, 2);
  };
  const auto share = [&](Index size, Index p) { return static_cast<Index>(std::int64_t{size} * p / parts); };
  const std::span<const Index> vertices = layout.chunk_vertices(chunk);
  const Index vertex_count = static_cast<Index>(vertices.size()), edge_count = chunk.edge_end - chunk.edge_begin;
  for (Index v = share(vertex_count, part); v < share(vertex_count, part + 1); ++v)
    if (vertices[v] < target.rows) fetch(target.diagonal[vertices[v]]);
  for (Index e = share(edge_count, part); e < share(edge_count, part + 1); ++e)
    fetch(std::max<Index>(0, target.edge_slots[chunk.edge_begin + e]));
}

}  // namespace sinew::elastic_detail
