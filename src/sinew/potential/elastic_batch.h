// Loads batches for the elastic kernels: two packs of tets at a time, from the layout or from a list of tets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "sinew/material/hencky_plastic.h"
#include "sinew/material/model.h"
#include "sinew/material/tet_kernel.h"
#include "sinew/model/system.h"
#include "sinew/potential/elastic_layout.h"
#include "sinew/potential/point_states.h"

namespace sinew::elastic_detail {

inline constexpr int batch_lanes = 2 * lane_count;

// Input of the elastic kernels: two packs of tets of one group, or up to batch_lanes tets of a list.
struct TetBatch {
  struct Half {
    int used = 0;         // number of lanes in use, the first ones; the others repeat valid tets
    const double* shape;  // 9 x lane_count, D_m^{-1} by rows [1/m]
    const ElasticLayout::LocalIndex *vertices, *edges;  // 4 and 6 x lane_count: numbers in the chunk
  };
  Half half[2];
  alignas(64) Index local[batch_lanes];      // index of each tet in its chunk
  alignas(64) Index offset[4][batch_lanes];  // index of each vertex in the array of positions
  LanePair volume;  // rest volume [m^3], times the tet's weight if it comes from a list; 0 in unused lanes
  LanePair kernel[MaterialModel::max_kernel_parameters];
  Fiber<LanePair> fiber;
  Index first_tet = 0;  // that of the chunk, counted in the group
  bool has_pressure = false;
  LanePair pressure;  // of mixed elements [Pa]
  // The states of inelastic materials (potential/point_states.h); `volume` has c / det G.
  double factor = 1;
  double bulk_share = 1;  // 1 / c if the stress of the bulk part does not relax
  bool has_release = false, has_history = false;
  LanePair release[9], history[6];
};

// Storage for the packs of tets that come from a list.
struct ListedPacks {
  alignas(64) double shape[2][9 * lane_count];
  alignas(64) ElasticLayout::LocalIndex vertices[2][4 * lane_count], edges[2][6 * lane_count];
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

inline bool has_fiber(const ElasticGroup& group) {
  return !group.fiber_stiffness.empty();
}

// Gathers values[local] for the tets of a batch.
inline LanePair gather_pair(const double* values, const TetBatch& batch) {
  return {gather(values, batch.local), gather(values, batch.local + lane_count)};
}

// Loads a parameter of a group. values: one for all of its tets, or one for each. offset: number of the chunk's first
// tet in the group.
inline LanePair load_parameter(std::span<const double> values, Index offset, const TetBatch& batch) {
  if (values.size() == 1) return LanePair(values[0]);
  return gather_pair(values.data() + offset, batch);
}

inline void load_fiber(const ElasticGroup& group, Index offset, TetBatch& batch) {
  batch.fiber.stiffness = load_parameter(group.fiber_stiffness, offset, batch);
  batch.fiber.tension =
      group.fiber_tension.empty() ? LanePair(0.0) : load_parameter(group.fiber_tension, offset, batch);
  const bool uniform = group.fiber_direction.cols() == 1;
  for (int i = 0; i < 3; ++i) {
    alignas(64) double lanes[batch_lanes];
    for (int l = 0; l < batch_lanes; ++l) lanes[l] = group.fiber_direction(i, uniform ? 0 : offset + batch.local[l]);
    batch.fiber.direction[i] = load_pair(lanes);
  }
}

// Gathers `width` values of each tet, which stand together.
inline void gather_rows(const double* values, int width, Index first, const TetBatch& batch, LanePair* out) {
  alignas(64) Index offset[batch_lanes];
  for (int l = 0; l < batch_lanes; ++l) offset[l] = width * batch.local[l];
  const double* begin = values + static_cast<std::size_t>(width) * first;
  for (int k = 0; k < width; ++k) out[k] = {gather(begin + k, offset), gather(begin + k, offset + lane_count)};
}

inline void load_states(const PointStates& states, const ElasticLayout::Chunk& chunk, TetBatch& batch) {
  const PointStates::Group& own = states.groups[chunk.group];
  batch.factor = states.with_history ? own.factor : 1;
  if (batch.factor != 1) batch.volume = batch.volume * batch.factor;
  batch.bulk_share = own.bulk >= 0 ? 1 / batch.factor : 1;
  if (batch.bulk_share != 1) batch.kernel[own.bulk] = batch.kernel[own.bulk] * batch.bulk_share;
  if (own.has_plastic_strain)
    batch.kernel[HenckyPlastic::plastic_strain] =
        states.with_history ? gather_pair(states.plastic_strain.data() + chunk.tet_begin, batch)
                            : LanePair(HenckyPlastic::no_flow);
  batch.has_history = own.has_stress && states.with_history;
  if (batch.has_history) gather_rows(states.stress.data(), 6, chunk.tet_begin, batch, batch.history);
  batch.has_release = own.has_release;
  if (!own.has_release) return;
  gather_rows(states.release.data(), 9, chunk.tet_begin, batch, batch.release);
  batch.volume = batch.volume / determinant3(batch.release);
}

// Loads volumes and parameters of the tets in batch.local, and their states if there are any.
inline void load_parameters(const ElasticLayout& layout, const ElasticGroup& group, const ElasticLayout::Chunk& chunk,
                            const PointStates* states, TetBatch& batch) {
  batch.volume = load_parameter(layout.volumes(), chunk.tet_begin, batch);
  const Index offset = chunk.tet_begin - group.tet_begin;
  for (std::size_t k = 0; k < group.parameters.size(); ++k)
    batch.kernel[k] = load_parameter(group.parameters[k], offset, batch);
  if (has_fiber(group)) load_fiber(group, offset, batch);
  batch.first_tet = offset;
  batch.factor = batch.bulk_share = 1;
  batch.has_release = batch.has_history = false;
  if (states) load_states(*states, chunk, batch);
}

// values: one for each tet of mixed groups, or none.
inline void load_pressure(std::span<const double> values, const ElasticGroup& group, const ElasticLayout::Chunk& chunk,
                          TetBatch& batch) {
  batch.has_pressure = !values.empty() && is_mixed(group.elements);
  if (!batch.has_pressure) return;
  batch.pressure = gather_pair(values.data() + chunk.tet_begin, batch);
  if (batch.bulk_share != 1) batch.pressure = batch.pressure * batch.bulk_share;
}

inline constexpr int local_stride = 4;  // doubles for each vertex in a chunk's copy of the positions

// Copies the positions of a chunk's vertices next to each other, so that gathers hit the first-level cache.
inline void copy_positions(const ElasticLayout& layout, const ElasticLayout::Chunk& chunk, const Points& x,
                           double* local) {
  for (const Index v : layout.chunk_vertices(chunk)) {
    for (int i = 0; i < 3; ++i) local[i] = x(i, v);
    local += local_stride;
  }
}

// Loads pack `first` of a chunk and, if the chunk has it, pack `first` + 1. Offsets refer to the chunk's copy of the
// positions.
inline void load_batch(const ElasticLayout& layout, const ElasticGroup& group, const ElasticLayout::Chunk& chunk,
                       const PointStates* states, Index first, TetBatch& batch) {
  const Index packs = chunk.packs();
  for (int h = 0; h < 2; ++h) {
    const bool there = first + h < packs;  // a missing second pack repeats the first
    const Index p = there ? first + h : first, pack = chunk.pack_begin + p;
    TetBatch::Half& half = batch.half[h];
    half = {there ? (chunk.size() - p + packs - 1) / packs : 0, layout.shape(pack), layout.vertices(pack),
            layout.edges(pack)};
    const int to = h * lane_count;
    for (int l = 0; l < lane_count; ++l) batch.local[to + l] = std::min(l * packs + p, chunk.size() - 1);
    for (int a = 0; a < 4; ++a)
      for (int l = 0; l < lane_count; ++l) batch.offset[a][to + l] = local_stride * half.vertices[a * lane_count + l];
  }
  load_parameters(layout, group, chunk, states, batch);
  const auto clear_unused = [](int used, Lanes& volume) {
    if (used == lane_count) return;
    volume = Lanes([&](auto lane) { return static_cast<int>(lane) < used ? double(volume[lane]) : 0.0; });
  };
  clear_unused(batch.half[0].used, batch.volume.a);
  clear_unused(batch.half[1].used, batch.volume.b);
}

// Loads tets[k] of a chunk's group, with weights[k]. Offsets refer to the positions of all vertices, 3 x n.
inline void load_batch(const ElasticLayout& layout, const ElasticGroup& group, const ElasticLayout::Chunk& chunk,
                       const PointStates* states, std::span<const Index> tets, const double* weights,
                       ListedPacks& packs, TetBatch& batch) {
  const int count = static_cast<int>(tets.size());
  for (int h = 0; h < 2; ++h)
    batch.half[h] = {std::clamp(count - h * lane_count, 0, lane_count), packs.shape[h], packs.vertices[h],
                     packs.edges[h]};
  alignas(64) double weight[batch_lanes];
  for (int k = 0; k < batch_lanes; ++k) {
    const Index local = tets[std::min(k, count - 1)] - chunk.tet_begin;
    const Index pack = chunk.pack_of(local), lane = chunk.lane_of(local);
    const int h = k / lane_count, l = k % lane_count;
    for (int a = 0; a < 4; ++a) {
      const ElasticLayout::LocalIndex v = layout.vertices(pack)[a * lane_count + lane];
      packs.vertices[h][a * lane_count + l] = v;
      batch.offset[a][k] = 3 * layout.chunk_vertices(chunk)[v];
    }
    for (int e = 0; e < 6; ++e) packs.edges[h][e * lane_count + l] = layout.edges(pack)[e * lane_count + lane];
    for (int i = 0; i < 9; ++i) packs.shape[h][i * lane_count + l] = layout.shape(pack)[i * lane_count + lane];
    batch.local[k] = local;
    weight[k] = k < count ? weights[k] : 0.0;
  }
  load_parameters(layout, group, chunk, states, batch);
  batch.volume = batch.volume * load_pair(weight);
}

// Gathers the positions of the four vertices: out has x0 y0 z0 x1 ... . x: the array that batch.offset refers to.
inline void gather_positions(const double* x, const TetBatch& batch, LanePair* out) {
  for (int a = 0; a < 4; ++a) {
    const Index* offset = batch.offset[a];
    for (int i = 0; i < 3; ++i) out[3 * a + i] = {gather(x + i, offset), gather(x + i, offset + lane_count)};
  }
}

// F, or F G of tets with states.
inline void gather_deformation(const double* x, const TetBatch& batch, LanePair* f) {
  LanePair corners[12];
  gather_positions(x, batch, corners);
  LanePair shape[9];
  for (int k = 0; k < 9; ++k)
    shape[k] = {load_lanes(batch.half[0].shape + k * lane_count), load_lanes(batch.half[1].shape + k * lane_count)};
  deformation_gradient(corners, shape, f);
  if (!batch.has_release) return;
  LanePair released[9];
  multiply3(f, batch.release, released);
  for (int k = 0; k < 9; ++k) f[k] = released[k];
}

}  // namespace sinew::elastic_detail
