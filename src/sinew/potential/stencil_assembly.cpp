#include "sinew/potential/stencil_assembly.h"

#include <cassert>

namespace sinew {
namespace {

// A contribution is row << 32 | 4 stencil + vertex, with the number of the stencil in its batch.
Index row_of(std::uint64_t contribution) {
  return static_cast<Index>(contribution >> 32);
}
std::uint32_t stencil_of(std::uint64_t contribution) {
  return static_cast<std::uint32_t>(contribution) / 4;
}
int vertex_of(std::uint64_t contribution) {
  return static_cast<int>(contribution & 3);
}

constexpr std::size_t rows_a_task = 128;

}  // namespace

// Triples (row, stencil, vertex) of a batch as 64-bit keys, sorted by row and then by stencil: each row is summed by
// one task in a fixed order, without atomics and with the same bits for any number of threads.
void StencilAssembly::sort_batch(std::size_t batch) {
  std::uint64_t* contributions = contributions_.data() + 4 * batch_size * batch;
  std::uint32_t* starts = row_starts_.data() + 4 * batch_size * batch;
  std::uint32_t count = 0, rows = 0;
  const std::size_t first = batch * batch_size;
  for (std::size_t s = first; s < batch_end(batch); ++s) {
    for (int a = 0; a < 4; ++a) {
      const Index v = vertices_[s][a];
      if (v >= 0 && v < rows_) contributions[count++] = static_cast<std::uint64_t>(v) << 32 | (4 * (s - first) + a);
    }
  }
  // Sorted keys put the contributions to a row side by side, in the order of the stencils.
  std::sort(contributions, contributions + count);
  for (std::uint32_t k = 0; k < count; ++k) {
    if (k == 0 || row_of(contributions[k]) != row_of(contributions[k - 1])) starts[rows++] = k;
  }
  contribution_count_[batch] = count;
  row_count_[batch] = rows;
}

// g_i += scale sum_s sum_a [v_sa = i] g_sa, s the stencils and a their vertices: the local gradients at row i, in the
// order of the stencils. Each row is one task's, so that no sum depends on which task comes first.
void StencilAssembly::scatter_gradient(std::size_t batch, double scale, Points& g) const {
  const std::uint64_t* contributions = contributions_.data() + 4 * batch_size * batch;
  const std::uint32_t* starts = row_starts_.data() + 4 * batch_size * batch;
  const std::uint32_t rows = row_count_[batch];
  parallel_for(
      rows,
      [&](std::size_t r) {
        const std::uint32_t end = r + 1 < rows ? starts[r + 1] : contribution_count_[batch];
        Vec3 sum = Vec3::Zero();
        for (std::uint32_t k = starts[r]; k < end; ++k) {
          sum += local_gradients_[stencil_of(contributions[k])].segment<3>(3 * vertex_of(contributions[k]));
        }
        g.col(row_of(contributions[starts[r]])) += scale * sum;
      },
      rows_a_task);
}

// Block (i, j), j >= i, of H += scale times the local blocks at row i: the upper triangle is stored.
void StencilAssembly::scatter_hessian(std::size_t batch, double scale, SymBlockMatrix& H) const {
  const std::uint64_t* contributions = contributions_.data() + 4 * batch_size * batch;
  const std::uint32_t* starts = row_starts_.data() + 4 * batch_size * batch;
  const std::uint32_t rows = row_count_[batch];
  const BlockPattern& pattern = H.pattern();
  parallel_for(
      rows,
      [&](std::size_t r) {
        const std::uint32_t end = r + 1 < rows ? starts[r + 1] : contribution_count_[batch];
        const Index row = row_of(contributions[starts[r]]);
        for (std::uint32_t k = starts[r]; k < end; ++k) {
          const std::uint32_t s = stencil_of(contributions[k]);
          const int a = vertex_of(contributions[k]);
          const Vertices& v = vertices_[batch * batch_size + s];
          for (int b = 0; b < 4; ++b) {
            if (v[b] < row || v[b] >= rows_) continue;  // the lower triangle is not stored, kinematic vertices neither
            const std::int64_t slot = v[b] == row ? pattern.row_begin[row] : pattern.find(row, v[b]);
            assert(slot >= 0);
            Eigen::Map<Mat3>(H.block(slot)) += scale * local_hessians_[s].block<3, 3>(3 * a, 3 * b);
          }
        }
      },
      rows_a_task);
}

}  // namespace sinew
