// Adds the gradients and Hessians of many small stencils into a global gradient and block matrix, in parallel and with
// the same bits for any number of threads.
//
// Stencils are taken in batches of fixed size. Their local derivatives are computed in parallel into a buffer that
// stays in cache. Each global row, owned by one task, then adds its contributions in the order of the stencils. The
// contributions to each row are sorted once per set of stencils (plan).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/core/types.h"
#include "sinew/linalg/block_matrix.h"

namespace sinew {

class StencilAssembly {
 public:
  using Vertices = std::array<Index, 4>;  // ids; those outside [0, rows) have no equations

  // Prepares `count` stencils. vertices(s) returns the vertices of stencil s, all different. O(count log batch).
  template <class F>
  void plan(std::size_t count, Index rows, F&& vertices);

  // g.col(i) += scale * sum of local gradients. local(s, Vec12& g) fills rows 3 a .. 3 a + 2 for vertex a of stencil s.
  template <class Local>
  void add_gradient(Local&& local, double scale, Points& g);

  // g and H += scale * local gradients and Hessians; local(s, Vec12& g, Mat12& H). The pattern of H must contain all
  // pairs of vertices of a stencil.
  template <class Local>
  void add_derivatives(Local&& local, double scale, Points& g, SymBlockMatrix& H);

 private:
  static constexpr std::size_t batch_size = 2048;
  static constexpr std::size_t grain = 32;  // stencils in each task

  std::size_t batch_end(std::size_t batch) const { return std::min(vertices_.size(), (batch + 1) * batch_size); }
  std::size_t batch_count() const { return (vertices_.size() + batch_size - 1) / batch_size; }
  void sort_batch(std::size_t batch);
  void scatter_gradient(std::size_t batch, double scale, Points& g) const;
  void scatter_hessian(std::size_t batch, double scale, SymBlockMatrix& H) const;

  Index rows_ = 0;
  std::vector<Vertices> vertices_;
  // By batch, at offset 4 * batch_size * batch: row << 32 | (stencil in batch) * 4 + vertex, ascending, and the index
  // at which each row starts.
  std::vector<std::uint64_t> contributions_;
  std::vector<std::uint32_t> row_starts_;
  std::vector<std::uint32_t> contribution_count_, row_count_;  // by batch
  std::vector<Vec12> local_gradients_;                         // gradients of the current batch
  std::vector<Mat12> local_hessians_;
};

template <class F>
void StencilAssembly::plan(std::size_t count, Index rows, F&& vertices) {
  rows_ = rows;
  vertices_.resize(count);
  contributions_.resize(4 * batch_size * batch_count());
  row_starts_.resize(contributions_.size());
  contribution_count_.resize(batch_count());
  row_count_.resize(batch_count());
  parallel_chunks(count, batch_size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) vertices_[s] = vertices(s);
    sort_batch(begin / batch_size);
  });
}

template <class Local>
void StencilAssembly::add_gradient(Local&& local, double scale, Points& g) {
  local_gradients_.resize(std::max(local_gradients_.size(), std::min(vertices_.size(), batch_size)));
  for (std::size_t batch = 0; batch < batch_count(); ++batch) {
    const std::size_t first = batch * batch_size;
    parallel_for(
        batch_end(batch) - first, [&](std::size_t i) { local(first + i, local_gradients_[i]); }, grain);
    scatter_gradient(batch, scale, g);
  }
}

template <class Local>
void StencilAssembly::add_derivatives(Local&& local, double scale, Points& g, SymBlockMatrix& H) {
  local_gradients_.resize(std::max(local_gradients_.size(), std::min(vertices_.size(), batch_size)));
  local_hessians_.resize(std::max(local_hessians_.size(), std::min(vertices_.size(), batch_size)));
  for (std::size_t batch = 0; batch < batch_count(); ++batch) {
    const std::size_t first = batch * batch_size;
    parallel_for(
        batch_end(batch) - first, [&](std::size_t i) { local(first + i, local_gradients_[i], local_hessians_[i]); },
        grain);
    scatter_gradient(batch, scale, g);
    scatter_hessian(batch, scale, H);
  }
}

}  // namespace sinew
