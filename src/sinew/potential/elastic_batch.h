// Loads and stores of the elastic kernels: two packs of tets at a time, from the layout or from a list of tets, and the
// scatter of their gradients and Hessians.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "sinew/material/model.h"
#include "sinew/material/tet_kernel.h"
#include "sinew/model/system.h"
#include "sinew/potential/elastic_layout.h"

namespace sinew::elastic_detail {

inline constexpr int batch_lanes = 2 * lane_count;

// What the kernels need of up to batch_lanes tets of one group.
struct TetBatch {
  int count = 0;  // lanes used; the others repeat valid tets
  alignas(64) Index vertex[4][batch_lanes];
  alignas(64) Index edge[6][batch_lanes];
  LanePair shape[9];  // D_m^{-1} by rows [1/m]
  LanePair volume;    // [m^3], times the weight in a list; 0 in unused lanes
  LanePair kernel[MaterialModel::max_kernel_parameters];
  Fiber<LanePair> fiber;
};

inline LanePair load_pair(const double* p) {
  return {load_lanes(p), load_lanes(p + lane_count)};
}
inline const Lanes& half_of(const LanePair& value, int half) {
  return half ? value.b : value.a;
}
inline void store_pair(const LanePair& value, double* p) {
  store_lanes(value.a, p);
  store_lanes(value.b, p + lane_count);
}

// values[tet - begin] for consecutive tets, or the only value.
inline LanePair load_parameter(const std::vector<double>& values, Index offset, int count) {
  if (values.size() == 1) return LanePair(values[0]);
  if (count == batch_lanes) return load_pair(values.data() + offset);
  alignas(64) double lanes[batch_lanes];
  for (int l = 0; l < batch_lanes; ++l) lanes[l] = values[offset + std::min(l, count - 1)];
  return load_pair(lanes);
}

template <class TetOf>
inline LanePair pick_parameter(const std::vector<double>& values, TetOf&& offset_of) {
  if (values.size() == 1) return LanePair(values[0]);
  alignas(64) double lanes[batch_lanes];
  for (int l = 0; l < batch_lanes; ++l) lanes[l] = values[offset_of(l)];
  return load_pair(lanes);
}

template <class TetOf>
inline void pick_fiber(const ElasticGroup& group, TetOf&& offset_of, Fiber<LanePair>& fiber) {
  fiber.stiffness = pick_parameter(group.fiber_stiffness, offset_of);
  const bool uniform = group.fiber_direction.cols() == 1;
  for (int i = 0; i < 3; ++i) {
    alignas(64) double lanes[batch_lanes];
    for (int l = 0; l < batch_lanes; ++l) lanes[l] = group.fiber_direction(i, uniform ? 0 : offset_of(l));
    fiber.direction[i] = load_pair(lanes);
  }
}

inline bool has_fiber(const ElasticGroup& group) {
  return !group.fiber_stiffness.empty();
}

// Tets [first, first + count) of a chunk, first - chunk.tet_begin a multiple of batch_lanes.
inline void load_batch(const ElasticLayout& layout, const ElasticGroup& group, const ElasticLayout::Chunk& chunk,
                       Index first, TetBatch& batch) {
  batch.count = std::min<Index>(batch_lanes, chunk.tet_end - first);
  for (int half = 0; half < 2; ++half) {
    // A missing second pack repeats the first.
    const bool there = half * lane_count < batch.count;
    const Index pack = chunk.pack_begin + (first - chunk.tet_begin) / lane_count + (there ? half : 0);
    const int to = half * lane_count;
    for (int a = 0; a < 4; ++a) std::copy_n(layout.vertices(pack) + a * lane_count, lane_count, batch.vertex[a] + to);
    for (int e = 0; e < 6; ++e) std::copy_n(layout.edges(pack) + e * lane_count, lane_count, batch.edge[e] + to);
    for (int k = 0; k < 9; ++k)
      (half ? batch.shape[k].b : batch.shape[k].a) = load_lanes(layout.shape(pack) + k * lane_count);
  }
  batch.volume = load_pair(layout.volume(first));
  if (batch.count < batch_lanes) {
    alignas(64) double lanes[batch_lanes];
    for (int l = 0; l < batch_lanes; ++l) lanes[l] = l < batch.count ? layout.volume(first)[l] : 0.0;
    batch.volume = load_pair(lanes);
  }
  const Index offset = first - group.tet_begin;
  for (std::size_t k = 0; k < group.parameters.size(); ++k)
    batch.kernel[k] = load_parameter(group.parameters[k], offset, batch.count);
  if (has_fiber(group)) {
    pick_fiber(
        group, [&](int l) { return offset + std::min(l, batch.count - 1); }, batch.fiber);
  }
}

// The tets `tets[k]` of a chunk's group, times weights[k].
inline void load_batch(const ElasticLayout& layout, const ElasticGroup& group, const ElasticLayout::Chunk& chunk,
                       std::span<const Index> tets, const double* weights, TetBatch& batch) {
  batch.count = static_cast<int>(tets.size());
  const auto tet_of = [&](int l) { return tets[std::min(l, batch.count - 1)]; };
  alignas(64) double shape[9][batch_lanes], volume[batch_lanes];
  for (int l = 0; l < batch_lanes; ++l) {
    const Index local = tet_of(l) - chunk.tet_begin, lane = local % lane_count;
    const Index pack = chunk.pack_begin + local / lane_count;
    for (int a = 0; a < 4; ++a) batch.vertex[a][l] = layout.vertices(pack)[a * lane_count + lane];
    for (int e = 0; e < 6; ++e) batch.edge[e][l] = layout.edges(pack)[e * lane_count + lane];
    for (int k = 0; k < 9; ++k) shape[k][l] = layout.shape(pack)[k * lane_count + lane];
    volume[l] = l < batch.count ? weights[l] * *layout.volume(tets[l]) : 0.0;
  }
  for (int k = 0; k < 9; ++k) batch.shape[k] = load_pair(shape[k]);
  batch.volume = load_pair(volume);
  const auto offset_of = [&](int l) { return tet_of(l) - group.tet_begin; };
  for (std::size_t k = 0; k < group.parameters.size(); ++k)
    batch.kernel[k] = pick_parameter(group.parameters[k], offset_of);
  if (has_fiber(group)) pick_fiber(group, offset_of, batch.fiber);
}

// x: 3 x n; out: x0 y0 z0 x1 ... of the four vertices.
inline void gather_positions(const double* x, const TetBatch& batch, LanePair* out) {
  for (int a = 0; a < 4; ++a) {
    alignas(64) Index offset[batch_lanes];
    for (int l = 0; l < batch_lanes; ++l) offset[l] = 3 * batch.vertex[a][l];
    for (int i = 0; i < 3; ++i) out[3 * a + i] = {gather(x + i, offset), gather(x + i, offset + lane_count)};
  }
}

inline void gather_deformation(const Points& x, const TetBatch& batch, LanePair* f) {
  LanePair corners[12];
  gather_positions(x.data(), batch, corners);
  deformation_gradient(corners, batch.shape, f);
}

// g (3 x rows) += the element gradients of one half of a batch.
inline void scatter_gradient(const Lanes* gradient, const TetBatch& batch, int half, Index rows, double* g) {
  alignas(64) double lanes[12][lane_count];
  for (int k = 0; k < 12; ++k) store_lanes(gradient[k], lanes[k]);
  const int first = half * lane_count, count = std::min(lane_count, batch.count - first);
  for (int l = 0; l < count; ++l) {
    for (int a = 0; a < 4; ++a) {
      const Index v = batch.vertex[a][first + l];
      if (v >= rows) continue;
      double* to = g + std::size_t{3} * v;
      for (int i = 0; i < 3; ++i) to[i] += lanes[3 * a + i][l];
    }
  }
}

#ifdef __AVX512F__
// Rows to columns of an 8x8 block: lane l of row k goes to columns[l * stride + k].
inline void transpose8(const Lanes* rows, double* columns, int stride) {
  __m512d t[8];
  for (int k = 0; k < 4; ++k) {
    const auto x = static_cast<__m512d>(rows[2 * k]), y = static_cast<__m512d>(rows[2 * k + 1]);
    t[k] = __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14);
    t[4 + k] = __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15);
  }
  // Pairs (0 1), (2 3), (4 5), (6 7) of a vector are moved as wholes from here on.
  const auto even = [](__m512d x, __m512d y) { return __builtin_shufflevector(x, y, 0, 1, 4, 5, 8, 9, 12, 13); };
  const auto odd = [](__m512d x, __m512d y) { return __builtin_shufflevector(x, y, 2, 3, 6, 7, 10, 11, 14, 15); };
  for (int o = 0; o < 2; ++o) {
    const __m512d* r = t + 4 * o;
    const __m512d a = even(r[0], r[1]), b = even(r[2], r[3]), c = odd(r[0], r[1]), d = odd(r[2], r[3]);
    _mm512_storeu_pd(columns + o * stride, even(a, b));
    _mm512_storeu_pd(columns + (4 + o) * stride, odd(a, b));
    _mm512_storeu_pd(columns + (2 + o) * stride, even(c, d));
    _mm512_storeu_pd(columns + (6 + o) * stride, odd(c, d));
  }
}
#endif

inline constexpr int element_stride = 96;  // of the 90 entries of an element Hessian, for aligned stores

// Entries by lane to entries by element: out[l * element_stride + k].
inline void by_element(const Lanes* hessian, double* out) {
  int k = 0;
#ifdef __AVX512F__
  for (; k + 8 <= 90; k += 8) transpose8(hessian + k, out + k, element_stride);
#endif
  for (; k < 90; ++k) {
    alignas(64) double lanes[lane_count];
    store_lanes(hessian[k], lanes);
    for (int l = 0; l < lane_count; ++l) out[l * element_stride + k] = lanes[l];
  }
}

inline void add_block(const double* block, std::int64_t slot, double* values) {
  if (slot < 0) return;
  double* to = values + 9 * slot;
#ifdef __AVX512F__
  _mm512_storeu_pd(to, _mm512_loadu_pd(to) + _mm512_loadu_pd(block));
  to[8] += block[8];
#else
  for (int k = 0; k < 9; ++k) to[k] += block[k];
#endif
}

// Asks for the blocks that scatter_hessian will touch, long enough before.
inline void prefetch_hessian(const TetBatch& batch, Index rows, const std::int64_t* diagonal,
                             const std::int64_t* edge_slots, const double* values) {
  const auto fetch = [&](std::int64_t slot) {
    __builtin_prefetch(values + 9 * slot, 1);
    __builtin_prefetch(values + 9 * slot + 8, 1);
  };
  for (int l = 0; l < batch.count; ++l) {
    for (int a = 0; a < 4; ++a)
      if (batch.vertex[a][l] < rows) fetch(diagonal[batch.vertex[a][l]]);
    for (int e = 0; e < 6; ++e) fetch(std::max<std::int64_t>(0, edge_slots[batch.edge[e][l]]));
  }
}

// H += the element Hessians of one half of a batch; diagonal: slots of the diagonal blocks by row, edge_slots: by edge
// id. Element by element: neighbouring lanes often share a block, and adding to it twice in a row would wait for the
// first store.
inline void scatter_hessian(const Lanes* hessian, const TetBatch& batch, int half, Index rows,
                            const std::int64_t* diagonal, const std::int64_t* edge_slots, double* values) {
  alignas(64) double elements[lane_count * element_stride];
  by_element(hessian, elements);
  const int first = half * lane_count, count = std::min(lane_count, batch.count - first);
  for (int l = 0; l < count; ++l) {
    const double* block = elements + l * element_stride;
    for (int a = 0, e = 0; a < 4; ++a) {
      const Index v = batch.vertex[a][first + l];
      add_block(block + 9 * tet_block(a, a), v < rows ? diagonal[v] : -1, values);
      for (int b = a + 1; b < 4; ++b, ++e)
        add_block(block + 9 * tet_block(a, b), edge_slots[batch.edge[e][first + l]], values);
    }
  }
}

}  // namespace sinew::elastic_detail
