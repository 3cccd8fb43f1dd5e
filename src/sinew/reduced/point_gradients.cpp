#include "sinew/reduced/point_gradients.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/linalg/dense_kernels.h"
#include "sinew/partition/laplacian.h"
#include "sinew/reduced/basis_row.h"
#include "sinew/reduced/handle_hessian.h"

namespace sinew {
namespace {

constexpr Index chunk_slots = 64;  // their gradients stay in the second-level cache

// Symbols: y (columns x 3) the coordinates, F_c = I + dU_c y at the point c; dU_c = g_c^T (x) I with g_c = [g_c,0 g_c,1
// g_c,2] (columns x 3) the gradient of W's rows over the point's tet [1/m].

// Where the first entry of a slot's matrix is; the next ones follow at strides of lane_count.
std::size_t first_entry(Index slot, int entries) {
  return static_cast<std::size_t>(entries) * (slot / lane_count) * lane_count + slot % lane_count;
}

}  // namespace

// Chunks of points, and the columns of y that each chunk depends on: local handles (SMS) make them few, so that
// products are of that size and not of the whole subspace.
PointGradients::PointGradients(const System& system, const ReducedBasis& basis, const ElasticPoints& points)
    : set_(basis.set), columns_(column_count(basis)), free_(4 * basis.handle_count()) {
  const Index slots = points.slot_count();
  for (Index begin = 0; begin < slots; begin += chunk_slots) {
    Chunk chunk;
    chunk.slot_begin = begin;
    chunk.slot_end = std::min(begin + chunk_slots, slots);
    std::vector<char> seen(basis.handle_count(), 0);
    for (Index c = chunk.slot_begin; c < chunk.slot_end; ++c)
      for (int i = 0; i < 4; ++i) {
        const Index v = system.tets(i, points.tet(c));
        for (const AxisHandles& handles : basis.sets)
          for (auto e = handles.free.begin[v]; e < handles.free.begin[v + 1]; ++e) seen[handles.free.handle[e]] = 1;
      }
    for (Index h = 0; h < basis.handle_count(); ++h)
      for (Index k = 0; k < 4 && seen[h]; ++k) chunk.columns.push_back(4 * h + k);
    chunks_.push_back(std::move(chunk));
  }
  Index widest = 0;
  for (const Chunk& chunk : chunks_) widest = std::max(widest, static_cast<Index>(chunk.columns.size()));
  y_part_.resize(widest, 3);
  rows_part_.resize(3 * chunk_slots, 3);
  product_.resize(3 * widest, 3 * chunk_slots);
  square_.resize(3 * widest, 3 * widest);
  for (int s = 0; s < static_cast<int>(basis.sets.size()); ++s) add_set(system, basis, points, s);
}

// g_c = sum_i (grad N_i) w_i over the corners i of the point's tet, N_i their hat functions.
void PointGradients::add_set(const System& system, const ReducedBasis& basis, const ElasticPoints& points, int s) {
  MatX& prescribed = prescribed_gradients_.emplace_back(MatX::Zero(columns_ - free_, 3 * points.slot_count()));
  parallel_for(
      chunks_.size(),
      [&](std::size_t k) {
        Chunk& chunk = chunks_[k];
        MatX& gradients = chunk.gradients[s];
        gradients.setZero(static_cast<Index>(chunk.columns.size()), 3 * (chunk.slot_end - chunk.slot_begin));
        for (Index c = chunk.slot_begin; c < chunk.slot_end; ++c) {
          const auto hats = hat_gradients(system.rest, system.tets, points.tet(c));
          for (int i = 0; i < 4; ++i) {
            const VecX w = basis_row(basis, s, system.rest, system.tets(i, points.tet(c)));
            for (int j = 0; j < 3; ++j) {
              const double gradient = hats(j, i);
              auto out = gradients.col(3 * (c - chunk.slot_begin) + j);
              for (Index e = 0; e < out.size(); ++e) out[e] += gradient * w[chunk.columns[e]];
              prescribed.col(3 * c + j) += gradient * w.tail(columns_ - free_);
            }
          }
        }
      },
      1);
}

// Row a of F_c is e_a + g_c^T y_a over the free and the prescribed columns, y_a the column of axis a of y (theory,
// section 6: dF/dy = g (x) I_3). A chunk of points is one product of dense matrices.
void PointGradients::add_up(const MatX& y, bool displacement, std::span<double> F) {
  for (const Chunk& chunk : chunks_) {
    const Index slots = chunk.slot_end - chunk.slot_begin, size = static_cast<Index>(chunk.columns.size());
    // Column a of rows_part_ holds row a of dF, slot by slot.
    for (int a = 0; a < 3; ++a)
      for (Index i = 0; i < size; ++i) y_part_(i, a) = y(chunk.columns[i], a);
    if (prescribed_gradients_.size() == 1) {
      kernel::multiply_transposed(rows_part_.data(), static_cast<int>(rows_part_.rows()), 3 * slots, 3,
                                  chunk.gradients[0].data(), size, y_part_.data(), static_cast<int>(y_part_.rows()),
                                  size);
    } else {
      for (int a = 0; a < 3; ++a)
        kernel::multiply_transposed(rows_part_.col(a).data(), static_cast<int>(rows_part_.rows()), 3 * slots, 1,
                                    chunk.gradients[set_[a]].data(), size, y_part_.col(a).data(),
                                    static_cast<int>(y_part_.rows()), size);
    }
    for (Index k = 0; k < slots; ++k) {
      const Index slot = chunk.slot_begin + k;
      double* out = F.data() + first_entry(slot, 9);
      for (int a = 0; a < 3; ++a)
        for (int j = 0; j < 3; ++j)
          out[(3 * a + j) * lane_count] = rows_part_(3 * k + j, a) + (!displacement && a == j ? 1.0 : 0.0);
    }
    if (columns_ == free_) continue;
    for (Index k = 0; k < slots; ++k) {
      const Index slot = chunk.slot_begin + k;
      double* out = F.data() + first_entry(slot, 9);
      for (int a = 0; a < 3; ++a)
        for (int j = 0; j < 3; ++j)
          out[(3 * a + j) * lane_count] +=
              prescribed_gradients_[set_[a]].col(3 * slot + j).dot(y.col(a).tail(columns_ - free_));
    }
  }
}

// g_a += sum_c g_c P_c(a, .)^T, the transposed product.
void PointGradients::add_forces(std::span<const double> P, MatX& g) {
  for (const Chunk& chunk : chunks_) {
    const Index slots = chunk.slot_end - chunk.slot_begin, size = static_cast<Index>(chunk.columns.size());
    for (Index k = 0; k < slots; ++k) {
      const Index slot = chunk.slot_begin + k;
      const double* in = P.data() + first_entry(slot, 9);
      for (int a = 0; a < 3; ++a)
        for (int j = 0; j < 3; ++j) rows_part_(3 * k + j, a) = in[(3 * a + j) * lane_count];
    }
    y_part_.setZero();
    for (int a = 0; a < 3; ++a)
      kernel::add_multiply(y_part_.col(a).data(), static_cast<int>(y_part_.rows()), size, 1,
                           chunk.gradients[set_[a]].data(), size, rows_part_.col(a).data(),
                           static_cast<int>(rows_part_.rows()), 3 * slots);
    for (int a = 0; a < 3; ++a)
      for (Index i = 0; i < size; ++i) g(chunk.columns[i], a) += y_part_(i, a);
  }
}

void PointGradients::add_stiffness(std::span<const double> K, CoordinateHessian& H) {
  add_stiffness(K, in_layout<HandleHessian>(H).matrix());
}

// sum_c (g_c (x) I) K_c (g_c (x) I)^T falls into blocks by axes (theory, section 6, "The matrix"), for a >= b:
//
//   H_ab += sum_c g_c (K_c)_ab g_c^T,   (K_c)_ab 3 x 3.
//
// First T = g_c K_ab for all points of a chunk, a = b .. 2 one below the other, then one product T G^T for the chunk.
// The second product is most of the work and runs at the speed of a dense kernel.
void PointGradients::add_stiffness(std::span<const double> K, MatX& H) {
  for (const Chunk& chunk : chunks_) {
    const Index slots = chunk.slot_end - chunk.slot_begin, size = static_cast<Index>(chunk.columns.size());
    const bool all = size == free_;
    double* target = all ? H.data() : square_.data();
    const int ld = static_cast<int>(all ? H.rows() : square_.rows());
    if (!all) square_.topLeftCorner(3 * size, 3 * size).setZero();
    for (int b = 0; b < 3; ++b) {
      const Index height = (3 - b) * size;
      for (Index k = 0; k < slots; ++k) {
        const Index slot = chunk.slot_begin + k;
        const double* in = K.data() + first_entry(slot, 45);
        for (int a = b; a < 3; ++a) {
          const double* g = chunk.gradients[set_[a]].col(3 * k).data();
          double* T = product_.data() + static_cast<std::ptrdiff_t>(3 * k) * height + (a - b) * size;
          for (int j = 0; j < 3; ++j) {
            double f[3];
            for (int i = 0; i < 3; ++i) {
              const int row = std::max(3 * a + i, 3 * b + j), column = std::min(3 * a + i, 3 * b + j);
              f[i] = in[(row * (row + 1) / 2 + column) * lane_count];
            }
            double* out = T + static_cast<std::ptrdiff_t>(j) * height;
            const double *g0 = g, *g1 = g + size, *g2 = g + 2 * size;
            for (Index e = 0; e < size; ++e) out[e] = g0[e] * f[0] + (g1[e] * f[1] + g2[e] * f[2]);
          }
        }
      }
      const std::ptrdiff_t corner = static_cast<std::ptrdiff_t>(b) * size * (ld + 1);
      kernel::add_product(target + corner, ld, height, size, product_.data(), height, chunk.gradients[set_[b]].data(),
                          size, 3 * slots);
    }
    if (all) continue;
    for (int b = 0; b < 3; ++b)
      for (Index j = 0; j < size; ++j)
        for (int a = b; a < 3; ++a)
          for (Index i = 0; i < size; ++i)
            H(a * free_ + chunk.columns[i], b * free_ + chunk.columns[j]) += square_(a * size + i, b * size + j);
  }
}

}  // namespace sinew
