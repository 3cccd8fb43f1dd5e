#include "sinew/linalg/smoothed_aggregation.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/random_stream.h"
#include "sinew/linalg/block_rows_products.h"

namespace sinew {
namespace {

constexpr double no_pivot = 1e-12;         // of a block's largest diagonal entry: what rounding leaves of a zero
constexpr double dependent_column = 1e-9;  // of a column's norm: what rounding leaves of one that depends on others
constexpr int power_steps = 8;  // they leave the Rayleigh quotients below the largest eigenvalue by about 5 %
constexpr double above = 1.1;

template <int N>
using Block = Eigen::Matrix<double, N, N, Eigen::RowMajor>;

// G = L^-1 with A = L L^T. Rows without a pivot become zero.
template <int N>
Block<N> inverse_cholesky(const Block<N>& A) {
  const double least = no_pivot * A.diagonal().cwiseAbs().maxCoeff();
  Block<N> L = Block<N>::Zero(), G = Block<N>::Zero();
  for (int k = 0; k < N; ++k) {
    const double pivot = A(k, k) - L.row(k).head(k).squaredNorm();
    if (!(pivot > least)) continue;
    L(k, k) = std::sqrt(pivot);
    for (int r = k + 1; r < N; ++r) L(r, k) = (A(r, k) - L.row(r).head(k).dot(L.row(k).head(k))) / L(k, k);
    G(k, k) = 1 / L(k, k);
    for (int c = 0; c < k; ++c) G(k, c) = -L.row(k).segment(c, k - c).dot(G.col(c).segment(c, k - c)) / L(k, k);
  }
  return G;
}

// Q R = B with orthonormal columns of Q; columns that depend on those before them are zero in Q and in the row of R.
void orthonormalize(MatX& B, Eigen::Ref<MatX> R) {
  R.setZero();
  for (Eigen::Index c = 0; c < B.cols(); ++c) {
    const double before = B.col(c).norm();
    for (int sweep = 0; sweep < 2; ++sweep)
      for (Eigen::Index k = 0; k < c; ++k) {
        const double share = B.col(k).dot(B.col(c));
        R(k, c) += share;
        B.col(c) -= share * B.col(k);
      }
    const double after = B.col(c).norm();
    if (after > dependent_column * before) {
      R(c, c) = after;
      B.col(c) /= after;
    } else {
      B.col(c).setZero();
    }
  }
}

template <int N>
std::vector<float> coupling_sizes(const BlockRows<double, N, N>& A) {
  std::vector<float> size(A.column.size());
  parallel_for(size.size(), [&](std::size_t s) {
    size[s] = static_cast<float>(Eigen::Map<const Block<N>>(A.block(static_cast<std::int64_t>(s))).norm());
  });
  return size;
}

// The tentative prolongation: orthonormal columns in each aggregate that span B there.
template <int N>
BlockRows<double, N, 6> tentative(const Aggregates& aggregates, const MatX& B, MatX& coarse) {
  const auto rows = static_cast<Index>(aggregates.of.size());
  BlockRows<double, N, 6> T{rows, aggregates.count, {}, aggregates.of, {}};
  T.begin.resize(static_cast<std::size_t>(rows) + 1);
  for (std::size_t i = 0; i <= static_cast<std::size_t>(rows); ++i) T.begin[i] = static_cast<std::int64_t>(i);
  T.values.resize(static_cast<std::size_t>(rows) * N * 6);
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(aggregates.count));
  for (Index i = 0; i < rows; ++i)
    members[static_cast<std::size_t>(aggregates.of[static_cast<std::size_t>(i)])].push_back(i);
  coarse.resize(6 * aggregates.count, 6);
  parallel_for(
      members.size(),
      [&](std::size_t a) {
        MatX own(N * static_cast<Index>(members[a].size()), 6);
        for (std::size_t k = 0; k < members[a].size(); ++k)
          own.middleRows<N>(N * static_cast<Index>(k)) = B.middleRows<N>(N * members[a][k]);
        orthonormalize(own, coarse.middleRows(6 * static_cast<Index>(a), 6));
        for (std::size_t k = 0; k < members[a].size(); ++k)
          Eigen::Map<Eigen::Matrix<double, N, 6, Eigen::RowMajor>>(T.block(members[a][k])) =
              own.middleRows<N>(N * static_cast<Index>(k));
      },
      16);
  return T;
}

}  // namespace

template <int N>
std::vector<double> scale_to_unit_diagonal(BlockRows<double, N, N>& A) {
  std::vector<double> scaling(static_cast<std::size_t>(A.rows) * N * N);
  const auto G = [&](Index i) { return Eigen::Map<Block<N>>(scaling.data() + static_cast<std::ptrdiff_t>(N) * N * i); };
  const auto diagonal_of = [&](std::size_t i) {
    const auto first = A.column.begin() + A.begin[i], last = A.column.begin() + A.begin[i + 1];
    return A.begin[i] + (std::lower_bound(first, last, static_cast<Index>(i)) - first);
  };
  for_block_rows(A.rows, [&](std::size_t i) {
    G(static_cast<Index>(i)) = inverse_cholesky<N>(Eigen::Map<const Block<N>>(A.block(diagonal_of(i))));
  });
  for_block_rows(A.rows, [&](std::size_t i) {
    const auto diagonal = diagonal_of(i);
    for (auto s = A.begin[i]; s < A.begin[i + 1]; ++s) {
      Eigen::Map<Block<N>> block(A.block(s));
      if (s == diagonal)
        block.setIdentity();
      else
        block = G(static_cast<Index>(i)) * block * G(A.column[static_cast<std::size_t>(s)]).transpose();
    }
  });
  return scaling;
}

// u = G^T u^ by a triangular solve; zero where G has no pivot.
template <int N>
void scale_vectors(const std::vector<double>& scaling, MatX& vectors) {
  for_block_rows(static_cast<Index>(vectors.rows() / N), [&](std::size_t i) {
    const double* G = scaling.data() + static_cast<std::ptrdiff_t>(N) * N * static_cast<std::ptrdiff_t>(i);
    for (Eigen::Index c = 0; c < vectors.cols(); ++c) {
      double* v = vectors.col(c).data() + static_cast<std::ptrdiff_t>(N) * static_cast<std::ptrdiff_t>(i);
      for (int k = N - 1; k >= 0; --k) {
        for (int j = k + 1; j < N; ++j) v[k] -= G[N * j + k] * v[j];
        v[k] = G[(N + 1) * k] > 0 ? v[k] / G[(N + 1) * k] : 0;
      }
    }
  });
}

template <int N>
double largest_eigenvalue(const BlockRows<float, N, N>& A) {
  const auto rows = static_cast<std::size_t>(A.rows);
  StripVector<float> x(rows * N * strip_width), y(x.size());
  RandomStream random(1, 0);
  for (float& entry : x) entry = static_cast<float>(random.uniform() - 0.5);
  using Sums = Eigen::Array<double, strip_width, 1>;
  double largest = 0;
  for (int step = 0; step < power_steps; ++step) {
    struct Products {
      Sums xx = Sums::Zero(), xy = Sums::Zero();
      Products& operator+=(const Products& other) {
        xx += other.xx;
        xy += other.xy;
        return *this;
      }
    };
    const auto products =
        parallel_sum_chunks<Products>(rows, block_rows_a_chunk, [&](std::size_t first, std::size_t last) {
          Products sum;
          for (std::size_t i = first; i < last; ++i) {
            Strip<float> row[N] = {};
            A.template add_row<1>(i, x.data(), row);
            for (int k = 0; k < N; ++k) {
              const std::size_t at = (N * i + static_cast<std::size_t>(k)) * strip_width;
              store_strip(y.data() + at, row[k]);
              for (int c = 0; c < strip_width; ++c) {
                sum.xx[c] +=
                    static_cast<double>(x[at + static_cast<std::size_t>(c)]) * x[at + static_cast<std::size_t>(c)];
                sum.xy[c] +=
                    static_cast<double>(x[at + static_cast<std::size_t>(c)]) * y[at + static_cast<std::size_t>(c)];
              }
            }
          }
          return sum;
        });
    const Sums quotients = products.xy / products.xx.max(1e-300);
    largest = std::max(largest, quotients.maxCoeff());
    const auto over = static_cast<float>(1 / std::max(largest, 1e-300));
    parallel_for(
        x.size(), [&](std::size_t k) { x[k] = over * y[k]; }, 1 << 15);
  }
  return above * largest;
}

// 1. Aggregates of strongly coupled rows.
// 2. T, whose columns are constant or rigid motions in one aggregate and zero elsewhere.
// 3. P = (I - 4 / (3 largest) A) T smooths the aggregates' edges.
// 4. A_c = P^T A P.
// 5. A_c <- G A_c G^T of unit diagonal blocks, P <- P G^T, and the near-kernel of A_c to match.
template <int N>
Coarsening<N> coarsen(const BlockRows<double, N, N>& A, const MatX& near_kernel, double largest,
                      const CoarseningOptions& options) {
  // Step 1.
  const Aggregates aggregates = aggregate(A.begin, A.column, coupling_sizes(A), options.strong, options.reach);
  Coarsening<N> result;
  // Step 2.
  const BlockRows<double, N, 6> T = tentative<N>(aggregates, near_kernel, result.near_kernel);
  // Step 3.
  const double omega = 4 / (3 * largest);
  BlockRows<double, N, 6> P = product(A, T);
  for_block_rows(P.rows, [&](std::size_t i) {
    for (auto s = P.begin[i]; s < P.begin[i + 1]; ++s) {
      double* block = P.block(s);
      const bool own = P.column[static_cast<std::size_t>(s)] == aggregates.of[i];
      for (int k = 0; k < 6 * N; ++k)
        block[k] = (own ? T.block(static_cast<std::int64_t>(i))[k] : 0) - omega * block[k];
    }
  });
  // Step 4.
  result.A = product(transposed(P), product(A, P));
  // Step 5.
  const std::vector<double> scaling = scale_to_unit_diagonal<6>(result.A);
  const auto G = [&](Index a) {
    return Eigen::Map<const Block<6>>(scaling.data() + static_cast<std::ptrdiff_t>(36) * a);
  };
  parallel_for(P.column.size(), [&](std::size_t s) {
    Eigen::Map<Eigen::Matrix<double, N, 6, Eigen::RowMajor>> block(P.block(static_cast<std::int64_t>(s)));
    block = block * G(P.column[s]).transpose();
  });
  scale_vectors<6>(scaling, result.near_kernel);
  result.P = std::move(P);
  return result;
}

template std::vector<double> scale_to_unit_diagonal<3>(BlockRows<double, 3, 3>&);
template void scale_vectors<3>(const std::vector<double>&, MatX&);
template double largest_eigenvalue<3>(const BlockRows<float, 3, 3>&);
template double largest_eigenvalue<6>(const BlockRows<float, 6, 6>&);
template Coarsening<3> coarsen<3>(const BlockRows<double, 3, 3>&, const MatX&, double, const CoarseningOptions&);
template Coarsening<6> coarsen<6>(const BlockRows<double, 6, 6>&, const MatX&, double, const CoarseningOptions&);

}  // namespace sinew
