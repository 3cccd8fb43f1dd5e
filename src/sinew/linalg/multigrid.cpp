#include "sinew/linalg/multigrid.h"

#include <utility>

#include "sinew/linalg/block_rows_products.h"
#include "sinew/linalg/dense_decompositions.h"
#include "sinew/linalg/smoothed_aggregation.h"

namespace sinew {
namespace {

constexpr Index most_direct = 4;         // times direct_rows: what may be solved densely where aggregates do not grow
constexpr double slow_coarsening = 0.5;  // a level with a larger share of the finer one's rows is not worth its cost

// The dense matrix, with its rows and columns of `held` replaced by those of the identity.
template <int N>
MatX dense_held(const BlockRows<double, N, N>& A, const std::vector<Index>& held) {
  MatX D = MatX::Zero(N * A.rows, N * A.rows);
  for (Index i = 0; i < A.rows; ++i)
    for (auto s = A.begin[static_cast<std::size_t>(i)]; s < A.begin[static_cast<std::size_t>(i) + 1]; ++s)
      D.block<N, N>(N * i, N * A.column[static_cast<std::size_t>(s)]) =
          Eigen::Map<const Eigen::Matrix<double, N, N, Eigen::RowMajor>>(A.block(s));
  for (const Index k : held) {
    D.row(k).setZero();
    D.col(k).setZero();
    D(k, k) = 1;
  }
  return D;
}

}  // namespace

// 1. A <- G A G^T, B <- G^-T B: unit diagonal blocks.
// 2. From level to level: aggregates, P = (I - omega A) T, A_c = P^T A P (Vanek, Mandel, Brezina 1996), in double
//    precision; the cycle has rounded copies.
// 3. The inverse of the coarsest matrix.
Multigrid::Multigrid(BlockRows<double, 3, 3> A, MatX near_kernel, const MatX& kernel, const MultigridOptions& options)
    : smoothing_(options.smoothing) {
  // Step 1.
  const CoarseningOptions coarsening{options.strong, options.reach};
  const std::vector<double> scaling = scale_to_unit_diagonal<3>(A);
  scale_vectors<3>(scaling, near_kernel);
  scaling_.assign(scaling.begin(), scaling.end());
  level_rows_.push_back(3 * A.rows);
  fine_.A = rounded(A);
  fine_.largest = largest_eigenvalue<3>(fine_.A);
  // Step 2.
  Coarsening<3> first = coarsen<3>(A, near_kernel, fine_.largest, coarsening);
  A = {};
  fine_.P = rounded(first.P);
  fine_.PT = transposed(fine_.P);
  fine_.allocate();
  BlockRows<double, 6, 6> coarse = std::move(first.A);
  near_kernel = std::move(first.near_kernel);
  level_rows_.push_back(6 * coarse.rows);
  while (6 * coarse.rows > options.direct_rows) {
    MultigridLevel<6> level;
    level.A = rounded(coarse);
    level.largest = largest_eigenvalue<6>(level.A);
    Coarsening<6> next = coarsen<6>(coarse, near_kernel, level.largest, coarsening);
    if (next.A.rows > slow_coarsening * coarse.rows) break;
    level.P = rounded(next.P);
    level.PT = transposed(level.P);
    level.allocate();
    coarse = std::move(next.A);
    near_kernel = std::move(next.near_kernel);
    coarse_.push_back(std::move(level));
    level_rows_.push_back(6 * coarse.rows);
  }
  if (6 * coarse.rows > most_direct * options.direct_rows) return;
  // Step 3, with statically determinate supports, which a balanced load does not use.
  std::vector<Index> held;
  if (kernel.cols() > 0) {
    held = pivot_columns((near_kernel * kernel).transpose());
    held.resize(static_cast<std::size_t>(kernel.cols()));
  }
  is_definite_ = inverse_of_definite(dense_held(coarse, held), inverse_);
  r_.resize(static_cast<std::size_t>(fine_.A.rows) * 3 * strip_width);
  z_.resize(r_.size());
}

double Multigrid::complexity() const {
  double sum = static_cast<double>(inverse_.size());
  for (const auto& level : coarse_) sum += static_cast<double>(level.A.values.size());
  return 1 + sum / static_cast<double>(fine_.A.values.size());
}

std::size_t Multigrid::memory_bytes() const {
  std::size_t sum = fine_.memory_bytes() + sizeof(float) * (scaling_.size() + r_.size() + z_.size()) +
                    sizeof(double) * static_cast<std::size_t>(inverse_.size());
  for (const auto& level : coarse_) sum += level.memory_bytes();
  return sum;
}

void Multigrid::solve_coarsest(const float* r, float* z) {
  const auto rows = static_cast<std::size_t>(inverse_.rows());
  parallel_for(
      rows,
      [&](std::size_t i) {
        const double* column = inverse_.data() + rows * i;
        Strip<double> sum = {};
        for (std::size_t k = 0; k < rows; ++k)
          sum += column[k] * __builtin_convertvector(load_strip(r + k * strip_width), Strip<double>);
        store_strip(z + i * strip_width, __builtin_convertvector(sum, Strip<float>));
      },
      32);
}

// z = B r of a coarse level: smooth, correct from the coarser level, smooth.
void Multigrid::cycle(std::size_t level, const float* r, float* z) {
  MultigridLevel<6>& own = coarse_[level];
  own.descend(smoothing_, r, own.coarse_r.data());
  visit(level + 1, own.coarse_r.data(), own.coarse_z.data());
  own.ascend(smoothing_, own.coarse_z.data(), z);
}

// Two cycles, z = B r + B (r - A B r), leave less of the error than one: (I - B A)^2.
void Multigrid::visit(std::size_t level, const float* r, float* z) {
  if (level == coarse_.size()) return solve_coarsest(r, z);
  cycle(level, r, z);
  MultigridLevel<6>& own = coarse_[level];
  own.residual(r, z, own.second_r.data());
  cycle(level, own.second_r.data(), own.second_z.data());
  parallel_for(
      own.second_z.size(), [&](std::size_t k) { z[k] += own.second_z[k]; }, 1 << 14);
}

// 1. r^ = G r with G A G^T of unit diagonal blocks;  2. the cycle;  3. z = G^T z^.
void Multigrid::apply(const double* r, float* z) {
  for_block_rows(fine_.A.rows, [&](std::size_t i) {
    const float* G = scaling_.data() + 9 * i;
    Strip<float> from[3];
    for (std::size_t k = 0; k < 3; ++k)
      from[k] = __builtin_convertvector(load_strip(r + (3 * i + k) * strip_width), Strip<float>);
    store_strip(r_.data() + 3 * i * strip_width, G[0] * from[0]);
    store_strip(r_.data() + (3 * i + 1) * strip_width, G[3] * from[0] + G[4] * from[1]);
    store_strip(r_.data() + (3 * i + 2) * strip_width, G[6] * from[0] + G[7] * from[1] + G[8] * from[2]);
  });
  fine_.descend(smoothing_, r_.data(), fine_.coarse_r.data());
  visit(0, fine_.coarse_r.data(), fine_.coarse_z.data());
  fine_.ascend(smoothing_, fine_.coarse_z.data(), z_.data());
  for_block_rows(fine_.A.rows, [&](std::size_t i) {
    const float* G = scaling_.data() + 9 * i;
    Strip<float> from[3];
    for (std::size_t k = 0; k < 3; ++k) from[k] = load_strip(z_.data() + (3 * i + k) * strip_width);
    store_strip(z + 3 * i * strip_width, G[0] * from[0] + G[3] * from[1] + G[6] * from[2]);
    store_strip(z + (3 * i + 1) * strip_width, G[4] * from[1] + G[7] * from[2]);
    store_strip(z + (3 * i + 2) * strip_width, G[8] * from[2]);
  });
}

}  // namespace sinew
