// Loads of the elastic kernels: two packs of tets at a time, from the layout or from a list of tets.
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
  alignas(64) ElasticLayout::LocalIndex vertex[4][batch_lanes], edge[6][batch_lanes];  // in the chunk
  alignas(64) Index offset[4][batch_lanes];  // of the vertices in the array of positions
  LanePair shape[9];                         // D_m^{-1} by rows [1/m]
  LanePair volume;                           // [m^3], times the weight in a list; 0 in unused lanes
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

inline constexpr int local_stride = 4;  // doubles a vertex in a chunk's copy of the positions

// The positions of a chunk's vertices, next to each other: the gathers then hit the first-level cache.
inline void copy_positions(const ElasticLayout& layout, const ElasticLayout::Chunk& chunk, const Points& x,
                           double* local) {
  for (const Index v : layout.chunk_vertices(chunk)) {
    for (int i = 0; i < 3; ++i) local[i] = x(i, v);
    local += local_stride;
  }
}

// Tets [first, first + count) of a chunk, first - chunk.tet_begin a multiple of batch_lanes. Offsets are those of the
// chunk's copy of the positions.
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
  for (int a = 0; a < 4; ++a)
    for (int l = 0; l < batch_lanes; ++l) batch.offset[a][l] = local_stride * batch.vertex[a][l];
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

// The tets `tets[k]` of a chunk's group, times weights[k]. Offsets are those of all positions, 3 x n.
inline void load_batch(const ElasticLayout& layout, const ElasticGroup& group, const ElasticLayout::Chunk& chunk,
                       std::span<const Index> tets, const double* weights, TetBatch& batch) {
  batch.count = static_cast<int>(tets.size());
  const auto tet_of = [&](int l) { return tets[std::min(l, batch.count - 1)]; };
  alignas(64) double shape[9][batch_lanes], volume[batch_lanes];
  for (int l = 0; l < batch_lanes; ++l) {
    const Index local = tet_of(l) - chunk.tet_begin, lane = local % lane_count;
    const Index pack = chunk.pack_begin + local / lane_count;
    for (int a = 0; a < 4; ++a) {
      batch.vertex[a][l] = layout.vertices(pack)[a * lane_count + lane];
      batch.offset[a][l] = 3 * layout.chunk_vertices(chunk)[batch.vertex[a][l]];
    }
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

// x: the array that batch.offset refers to; out: x0 y0 z0 x1 ... of the four vertices.
inline void gather_positions(const double* x, const TetBatch& batch, LanePair* out) {
  for (int a = 0; a < 4; ++a) {
    const Index* offset = batch.offset[a];
    for (int i = 0; i < 3; ++i) out[3 * a + i] = {gather(x + i, offset), gather(x + i, offset + lane_count)};
  }
}

inline void gather_deformation(const double* x, const TetBatch& batch, LanePair* f) {
  LanePair corners[12];
  gather_positions(x, batch, corners);
  deformation_gradient(corners, batch.shape, f);
}

}  // namespace sinew::elastic_detail
