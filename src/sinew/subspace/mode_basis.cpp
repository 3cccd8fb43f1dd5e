#include "sinew/subspace/mode_basis.h"

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t dense_chunk = 1024;  // vertices

}  // namespace

ModeTransfer::ModeTransfer(const ModeBasis& basis, const Points& rest)
    : handles_(basis.handles, rest), dense_(basis.dense) {}

void ModeTransfer::add_lifted(const double* q, const char* fixed, double* u) {
  handles_.add_lifted(q, fixed, u);
  if (dense_.rows() == 0) return;
  const Eigen::Map<const VecX> coordinates(q + 12 * static_cast<std::size_t>(handles_.handle_count()), dense_.rows());
  parallel_for(
      static_cast<std::size_t>(handles_.vertex_count()),
      [&](std::size_t v) {
        const Vec3 by_modes = dense_.middleCols(3 * static_cast<Index>(v), 3).transpose() * coordinates;
        for (int k = 0; k < 3; ++k)
          if (!fixed[3 * v + k]) u[3 * v + k] += by_modes[k];
      },
      dense_chunk);
}

// Sums of chunks in their order: the same bits for any number of threads.
void ModeTransfer::restrict_to(const double* g, double* r) {
  handles_.restrict_to(g, r);
  if (dense_.rows() == 0) return;
  const auto n = static_cast<std::size_t>(handles_.vertex_count());
  const std::size_t chunks = (n + dense_chunk - 1) / dense_chunk;
  partial_.resize(dense_.rows(), static_cast<Index>(chunks));
  parallel_chunks(n, dense_chunk, [&](std::size_t first, std::size_t last) {
    const auto begin = static_cast<Index>(3 * first), size = static_cast<Index>(3 * (last - first));
    partial_.col(static_cast<Index>(first / dense_chunk)).noalias() =
        dense_.middleCols(begin, size) * Eigen::Map<const VecX>(g + begin, size);
  });
  Eigen::Map<VecX> sums(r + 12 * static_cast<std::size_t>(handles_.handle_count()), dense_.rows());
  sums.setZero();
  for (std::size_t c = 0; c < chunks; ++c) sums += partial_.col(static_cast<Index>(c));
}

}  // namespace sinew
