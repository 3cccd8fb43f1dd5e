#include "sinew/reduced/mode_points.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/linalg/dense_kernels.h"
#include "sinew/material/lanes.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

constexpr Index packs_a_chunk = std::max<Index>(1, 64 / lane_count);
constexpr Index columns_a_block = 32;  // of the lower triangle of a product

// The row of entry k of the slot i of a chunk.
// Rows follow the lanes of packs, so that F, P and K of a pack are loads and stores without a gather.
Index entry_row(Index slot, int k) {
  return (9 * (slot / lane_count) + k) * lane_count + slot % lane_count;
}

}  // namespace

// G of each point, 9 x r: G_(3a + j) = sum_i (grad N_i)_j U_i,a over the corners i of its tet, U_i,a their rows along
// the axis a; the same of U_D. Modal cubature has G D^2 for forces and G D for the matrix, D = diag(sqrt(w_e^j)).
ModePoints::ModePoints(const System& system, const std::vector<Substructure>& parts, std::span<const Index> part,
                       const ElasticPoints& points) {
  for (const Substructure& sub : parts) {
    begin_.push_back(prescribed_begin_);
    prescribed_begin_ += sub.mode_count();
    prescribed_ = std::max(prescribed_, static_cast<Index>(3 * sub.prescribed.cols()));
  }
  const auto part_of_pack = [&](Index pack) { return part[points.point(pack * lane_count)]; };
  for (Index begin = 0, end = 0; begin < points.pack_count(); begin = end) {
    while (end < points.pack_count() && end < begin + packs_a_chunk && part_of_pack(end) == part_of_pack(begin)) ++end;
    Chunk chunk;
    chunk.pack_begin = begin;
    chunk.pack_end = end;
    chunk.part = part_of_pack(begin);
    chunks_.push_back(std::move(chunk));
  }
  parallel_for(
      chunks_.size(),
      [&](std::size_t k) {
        Chunk& chunk = chunks_[k];
        const Substructure& sub = parts[chunk.part];
        const Index first = chunk.pack_begin * lane_count, slots = (chunk.pack_end - chunk.pack_begin) * lane_count;
        const Index r = sub.mode_count(), motions = static_cast<Index>(sub.prescribed.cols() / 4);
        chunk.gradient.setZero(9 * slots, r);
        if (motions > 0) chunk.prescribed.setZero(9 * slots, 12 * motions);
        for (Index i = 0; i < slots; ++i) {
          const Index tet = points.tet(first + i);
          const auto hats = hat_gradients(system.rest, system.tets, tet);
          for (int c = 0; c < 4; ++c) {
            const Index v = sub.local(system.tets(c, tet));
            for (int a = 0; a < 3; ++a)
              for (int j = 0; j < 3; ++j) {
                const Index row = entry_row(i, 3 * a + j);
                chunk.gradient.row(row) += hats(j, c) * sub.modes.row(3 * v + a);
                for (Index m = 0; m < motions; ++m)
                  chunk.prescribed.row(row).segment<4>(12 * m + 4 * a) +=
                      hats(j, c) * sub.prescribed.row(3 * v + a).segment<4>(4 * m);
              }
          }
        }
        if (sub.point_weights.size() == 0) return;
        chunk.force = chunk.root = chunk.gradient;
        for (Index i = 0; i < slots; ++i) {
          const auto place = std::ranges::lower_bound(sub.points, points.point(first + i)) - sub.points.begin();
          for (Index e = 0; e < r; ++e) {
            const double w = sub.point_weights(place, e), root = std::sqrt(w);
            for (int m = 0; m < 9; ++m) {
              chunk.force(entry_row(i, m), e) *= w;
              chunk.root(entry_row(i, m), e) *= root;
            }
          }
        }
      },
      1);
  Index widest = 0, tallest = 0;
  for (const Chunk& chunk : chunks_) {
    widest = std::max(widest, static_cast<Index>(chunk.gradient.cols()));
    tallest = std::max(tallest, static_cast<Index>(chunk.gradient.rows()));
  }
  product_.resize(tallest, widest);
  square_.resize(widest, widest);
}

// F = I + G q + G_D q_D, a matrix-vector product a chunk. 9 r numbers a point are read: bytes, not flops, are the
// cost.
void ModePoints::deformation_gradients(const VecX& z, bool displacement, std::span<double> F) {
  for (const Chunk& chunk : chunks_) {
    Eigen::Map<VecX> out(F.data() + static_cast<std::size_t>(9) * chunk.pack_begin * lane_count, chunk.gradient.rows());
    out.noalias() = chunk.gradient * z.segment(begin_[chunk.part], chunk.gradient.cols());
    if (chunk.prescribed.size() > 0) out.noalias() += chunk.prescribed * z.tail(chunk.prescribed.cols());
    if (displacement) continue;
    for (Index i = 0; i < chunk.gradient.rows() / 9; ++i)
      for (const int k : {0, 4, 8}) out[entry_row(i, k)] += 1;
  }
}

// f = sum_e D_e^2 G_e^T P_e (EP, section 5), with D = 1 for other rules.
void ModePoints::add_forces(std::span<const double> P, Eigen::Ref<VecX> g) {
  for (const Chunk& chunk : chunks_) {
    const MatX& G = chunk.force.size() > 0 ? chunk.force : chunk.gradient;
    const Eigen::Map<const VecX> stress(P.data() + static_cast<std::size_t>(9) * chunk.pack_begin * lane_count,
                                        G.rows());
    g.segment(begin_[chunk.part], G.cols()).noalias() += G.transpose() * stress;
  }
}

// product_ = K_e G_e for all points of a chunk, lane by lane: 81 r multiply-adds a point.
void ModePoints::multiply_stiffness(const Chunk& chunk, std::span<const double> K, const MatX& G) {
  for (Index p = chunk.pack_begin; p < chunk.pack_end; ++p) {
    const double* k = K.data() + static_cast<std::size_t>(45) * p * lane_count;
    Lanes entries[45];
    for (int i = 0; i < 45; ++i) entries[i] = load_lanes(k + i * lane_count);
    const Index row = 9 * (p - chunk.pack_begin) * lane_count;
    for (Eigen::Index e = 0; e < G.cols(); ++e) {
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

// H += sum_e D_e G_e^T K_e G_e D_e, symmetric and positive semidefinite. Blocks of columns, of which only what is on
// and below the diagonal is formed.
void ModePoints::add_stiffness(std::span<const double> K, BlockCholesky& H) {
  for (const Chunk& chunk : chunks_) {
    const MatX& G = chunk.symmetric();
    const auto size = static_cast<Index>(G.cols()), height = static_cast<Index>(G.rows());
    multiply_stiffness(chunk, K, G);
    MatX& block = H.block(chunk.part, chunk.part);
    const auto first = static_cast<Index>(block.rows()) - size;
    for (Index j = 0; j < size; j += columns_a_block) {
      const Index width = std::min(columns_a_block, size - j), below = size - j;
      kernel::multiply_transposed(square_.data(), square_rows(), below, width, G.col(j).data(), height,
                                  product_.col(j).data(), product_rows(), height);
      block.block(first + j, first + j, below, width) += square_.topLeftCorner(below, width);
    }
  }
}

// J += sum_e D_e^2 G_e^T K_e G_e (EP, equation 11): the derivative of the forces, which is not symmetric.
void ModePoints::add_jacobian(std::span<const double> K, std::vector<MatX>& J) {
  for (const Chunk& chunk : chunks_) {
    const MatX& left = chunk.force.size() > 0 ? chunk.force : chunk.gradient;
    const auto size = static_cast<Index>(left.cols()), height = static_cast<Index>(left.rows());
    multiply_stiffness(chunk, K, chunk.gradient);
    kernel::multiply_transposed(square_.data(), square_rows(), size, size, left.data(), height, product_.data(),
                                product_rows(), height);
    J[chunk.part].bottomRightCorner(size, size) += square_.topLeftCorner(size, size);
  }
}

}  // namespace sinew
