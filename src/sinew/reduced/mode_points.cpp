#include "sinew/reduced/mode_points.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/material/lanes.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

constexpr Index slots_a_chunk = 64;
constexpr Index columns_a_block = 32;  // of the lower triangle of a product

// The row of entry k of the slot i of a chunk.
Index entry_row(Index slot, int k) {
  return (9 * (slot / lane_count) + k) * lane_count + slot % lane_count;
}

}  // namespace

// G_c(3 a + j) = sum_i (grad N_i)_j w_i,a over the corners i of the point's tet, w_i,a their rows along the axis a.
ModePoints::ModePoints(const System& system, const AxisRows& axes, const ElasticPoints& points, const MatX& weights)
    : free_(axes.free) {
  constexpr Index packs_a_chunk = std::max<Index>(1, slots_a_chunk / lane_count);
  for (Index begin = 0; begin < points.pack_count(); begin += packs_a_chunk) {
    Chunk chunk;
    chunk.pack_begin = begin;
    chunk.pack_end = std::min(begin + packs_a_chunk, points.pack_count());
    chunks_.push_back(std::move(chunk));
  }
  parallel_for(
      chunks_.size(),
      [&](std::size_t k) {
        Chunk& chunk = chunks_[k];
        const Index first = chunk.pack_begin * lane_count, slots = (chunk.pack_end - chunk.pack_begin) * lane_count;
        MatX all = MatX::Zero(axes.rows, 9 * slots);
        for (Index i = 0; i < slots; ++i) {
          const Index tet = points.tet(first + i);
          const auto hats = hat_gradients(system.rest, system.tets, tet);
          for (int c = 0; c < 4; ++c)
            for (int a = 0; a < 3; ++a) {
              const VecX w = axes.row(a, system.tets(c, tet));
              for (int j = 0; j < 3; ++j) all.col(entry_row(i, 3 * a + j)) += hats(j, c) * w;
            }
        }
        for (Index j = 0; j < axes.rows; ++j)
          if (!all.row(j).isZero(0)) chunk.columns.push_back(j);
        chunk.free = static_cast<Index>(std::ranges::lower_bound(chunk.columns, free_) - chunk.columns.begin());
        chunk.gradient = all(chunk.columns, Eigen::all).transpose();
        if (weights.size() == 0) return;
        chunk.force = chunk.root = chunk.gradient.leftCols(chunk.free);
        for (Index i = 0; i < slots; ++i)
          for (Index e = 0; e < chunk.free; ++e) {
            const double w = weights(points.point(first + i), chunk.columns[e]), root = std::sqrt(w);
            for (int m = 0; m < 9; ++m) {
              chunk.force(entry_row(i, m), e) *= w;
              chunk.root(entry_row(i, m), e) *= root;
            }
          }
      },
      1);
  Index widest = 0, tallest = 0;
  for (const Chunk& chunk : chunks_) {
    widest = std::max(widest, static_cast<Index>(chunk.columns.size()));
    tallest = std::max(tallest, static_cast<Index>(chunk.gradient.rows()));
  }
  part_.resize(widest);
  rows_part_.resize(tallest);
  product_.resize(tallest, widest);
  square_.resize(widest, widest);
}

void ModePoints::deformation_gradients(const Eigen::Ref<const VecX>& y, bool displacement, std::span<double> F) {
  for (const Chunk& chunk : chunks_) {
    const auto size = static_cast<Index>(chunk.columns.size());
    for (Index e = 0; e < size; ++e) part_[e] = y[chunk.columns[e]];
    Eigen::Map<VecX> out(F.data() + static_cast<std::size_t>(9) * chunk.pack_begin * lane_count, chunk.gradient.rows());
    out.noalias() = chunk.gradient * part_.head(size);
    if (displacement) continue;
    for (Index i = 0; i < chunk.gradient.rows() / 9; ++i)
      for (const int k : {0, 4, 8}) out[entry_row(i, k)] += 1;
  }
}

void ModePoints::add_forces(std::span<const double> P, Eigen::Ref<VecX> g) {
  for (const Chunk& chunk : chunks_) {
    const MatX& G = chunk.force.size() > 0 ? chunk.force : chunk.gradient;
    const Eigen::Map<const VecX> stress(P.data() + static_cast<std::size_t>(9) * chunk.pack_begin * lane_count,
                                        G.rows());
    part_.head(chunk.free).noalias() = G.leftCols(chunk.free).transpose() * stress;
    for (Index e = 0; e < chunk.free; ++e) g[chunk.columns[e]] += part_[e];
  }
}

// product_ = K_c G_c for all points of a chunk, lane by lane.
void ModePoints::multiply_stiffness(const Chunk& chunk, std::span<const double> K, const MatX& G) {
  for (Index p = chunk.pack_begin; p < chunk.pack_end; ++p) {
    const double* k = K.data() + static_cast<std::size_t>(45) * p * lane_count;
    Lanes entries[45];
    for (int i = 0; i < 45; ++i) entries[i] = load_lanes(k + i * lane_count);
    const Index row = 9 * (p - chunk.pack_begin) * lane_count;
    for (Index e = 0; e < chunk.free; ++e) {
      const double* in = G.col(e).data() + row;
      double* out = product_.col(e).data() + row;
      Lanes g[9];
      for (int j = 0; j < 9; ++j) g[j] = load_lanes(in + j * lane_count);
      for (int i = 0; i < 9; ++i) {
        Lanes sum(0.0);
        for (int j = 0; j < 9; ++j) sum += entries[i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i] * g[j];
        store_lanes(sum, out + i * lane_count);
      }
    }
  }
}

void ModePoints::add_stiffness(std::span<const double> K, MatX& H) {
  for (const Chunk& chunk : chunks_) {
    const MatX& G = chunk.root.size() > 0 ? chunk.root : chunk.gradient;
    const Index size = chunk.free, height = static_cast<Index>(G.rows());
    multiply_stiffness(chunk, K, G);
    const bool all = size == free_;
    for (Index j = 0; j < size; j += columns_a_block) {
      const Index width = std::min(columns_a_block, size - j), below = size - j;
      const auto left = G.block(0, j, height, below);
      const auto right = product_.block(0, j, height, width);
      if (all)
        H.block(j, j, below, width).noalias() += left.transpose() * right;
      else
        square_.block(j, j, below, width).noalias() = left.transpose() * right;
    }
    if (all) continue;
    for (Index j = 0; j < size; ++j)
      for (Index i = j; i < size; ++i) H(chunk.columns[i], chunk.columns[j]) += square_(i, j);
  }
}

void ModePoints::add_jacobian(std::span<const double> K, MatX& J) {
  for (const Chunk& chunk : chunks_) {
    const MatX& G = chunk.force.size() > 0 ? chunk.force : chunk.gradient;
    const Index size = chunk.free, height = static_cast<Index>(G.rows());
    multiply_stiffness(chunk, K, chunk.gradient);
    square_.topLeftCorner(size, size).noalias() = G.leftCols(size).transpose() * product_.topLeftCorner(height, size);
    for (Index j = 0; j < size; ++j)
      for (Index i = 0; i < size; ++i) J(chunk.columns[i], chunk.columns[j]) += square_(i, j);
  }
}

}  // namespace sinew
