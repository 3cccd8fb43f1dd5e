#include "sinew/linalg/dense_kernels.h"

#include <cstddef>

#include <Eigen/Core>

namespace sinew::kernel {
namespace {

using Stride = Eigen::OuterStride<>;
using Input = Eigen::Map<const Eigen::MatrixXd, 0, Stride>;
using Output = Eigen::Map<Eigen::MatrixXd, 0, Stride>;
using InputVector = Eigen::Map<const Eigen::VectorXd>;
using OutputVector = Eigen::Map<Eigen::VectorXd>;

Input input(const double* A, int ld, int rows, int columns) {
  return {A, rows, columns, Stride(ld)};
}

Output output(double* A, int ld, int rows, int columns) {
  return {A, rows, columns, Stride(ld)};
}

// Products of long sums are cut to what the caches hold, and every cut rounds: sizes that are the same on all
// processors.
[[maybe_unused]] const bool fixed_cache_sizes = [] {
  Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 8 << 20);
  return true;
}();

// Eigen multiplies small matrices coefficient by coefficient. Whether it fuses a coefficient's multiplications with
// additions then depends on where the coefficient lies between multiples of 32 bytes, and so do the bits. These loops
// fuse all of them.
bool are_small(int rows, int columns, int k) {
  return rows + columns + k < EIGEN_GEMM_TO_COEFFBASED_THRESHOLD;
}

// C <- C + sign A B, element (p, j) of B at B[p * down + j * right].
template <int sign>
void add_small(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int down,
               int right, int k) {
  for (int j = 0; j < columns; ++j) {
    double* c = C + static_cast<std::ptrdiff_t>(j) * ldc;
    for (int p = 0; p < k; ++p) {
      const double* a = A + static_cast<std::ptrdiff_t>(p) * lda;
      const double b = sign * B[static_cast<std::ptrdiff_t>(p) * down + static_cast<std::ptrdiff_t>(j) * right];
      for (int i = 0; i < rows; ++i) c[i] += a[i] * b;
    }
  }
}

// C <- A^T B, or C <- C - A^T B where `subtract`. The former does not read C, which may hold anything.
template <bool subtract>
void multiply_small_transposed(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B,
                               int ldb, int k) {
  for (int j = 0; j < columns; ++j) {
    const double* b = B + static_cast<std::ptrdiff_t>(j) * ldb;
    for (int i = 0; i < rows; ++i) {
      const double* a = A + static_cast<std::ptrdiff_t>(i) * lda;
      double sum = 0;
      for (int p = 0; p < k; ++p) sum += a[p] * b[p];
      double& c = C[i + static_cast<std::ptrdiff_t>(j) * ldc];
      c = subtract ? c - sum : sum;
    }
  }
}

#ifdef __wasm__
// C <- C + A B^T in tiles of 4 x 4, each held in vectors of two doubles. Eigen has no vectors for WebAssembly.
void add_tiles(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb, int k) {
  using Pair = double __attribute__((vector_size(16), aligned(8)));
  const auto at = [](auto* M, int i, int j, int ld) { return M + i + static_cast<std::ptrdiff_t>(j) * ld; };
  for (int j = 0; j + 4 <= columns; j += 4) {
    for (int i = 0; i + 4 <= rows; i += 4) {
      Pair sum[4][2] = {};
      for (int p = 0; p < k; ++p) {
        const auto* a = reinterpret_cast<const Pair*>(at(A, i, p, lda));
        const double* b = at(B, j, p, ldb);
        for (int c = 0; c < 4; ++c) {
          sum[c][0] += a[0] * b[c];
          sum[c][1] += a[1] * b[c];
        }
      }
      for (int c = 0; c < 4; ++c) {
        auto* out = reinterpret_cast<Pair*>(at(C, i, j + c, ldc));
        out[0] += sum[c][0];
        out[1] += sum[c][1];
      }
    }
  }
  const int done_rows = rows / 4 * 4, done_columns = columns / 4 * 4;
  if (done_rows < rows)
    add_small<1>(C + done_rows, ldc, rows - done_rows, done_columns, A + done_rows, lda, B, ldb, 1, k);
  if (done_columns < columns)
    add_small<1>(at(C, 0, done_columns, ldc), ldc, rows, columns - done_columns, A, lda, B + done_columns, ldb, 1, k);
}
#endif

}  // namespace

// One vector goes to the routines for vectors, which read the matrix with less overhead.
void solve_lower(const double* L, int ld, int w, Columns X) {
  const auto lower = input(L, ld, w, w).triangularView<Eigen::Lower>();
  if (X.count == 1) {
    OutputVector x(X.data, w);
    return lower.solveInPlace(x);
  }
  Output x = output(X.data, X.stride, w, X.count);
  lower.solveInPlace(x);
}

void solve_lower_transposed(const double* L, int ld, int w, Columns X) {
  const Input A = input(L, ld, w, w);
  const auto upper = A.transpose().triangularView<Eigen::Upper>();
  if (X.count == 1) {
    OutputVector x(X.data, w);
    return upper.solveInPlace(x);
  }
  Output x = output(X.data, X.stride, w, X.count);
  upper.solveInPlace(x);
}

void subtract_multiply(const double* A, int ld, int rows, int columns, Columns X, Columns Y) {
  const Input matrix = input(A, ld, rows, columns);
  if (X.count == 1) {
    OutputVector(Y.data, rows).noalias() -= matrix * InputVector(X.data, columns);
  } else if (are_small(rows, X.count, columns)) {
    add_small<-1>(Y.data, Y.stride, rows, X.count, A, ld, X.data, 1, X.stride, columns);
  } else {
    output(Y.data, Y.stride, rows, X.count).noalias() -= matrix * input(X.data, X.stride, columns, X.count);
  }
}

void subtract_multiply_transposed(const double* A, int ld, int rows, int columns, Columns X, Columns Y) {
  const Input matrix = input(A, ld, rows, columns);
  if (X.count == 1) {
    OutputVector(Y.data, columns).noalias() -= matrix.transpose() * InputVector(X.data, rows);
  } else if (are_small(columns, X.count, rows)) {
    multiply_small_transposed<true>(Y.data, Y.stride, columns, X.count, A, ld, X.data, X.stride, rows);
  } else {
    output(Y.data, Y.stride, columns, X.count).noalias() -= matrix.transpose() * input(X.data, X.stride, rows, X.count);
  }
}

void add_product(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb, int k) {
  if (are_small(rows, columns, k)) return add_small<1>(C, ldc, rows, columns, A, lda, B, ldb, 1, k);
#ifdef __wasm__
  add_tiles(C, ldc, rows, columns, A, lda, B, ldb, k);
#else
  output(C, ldc, rows, columns).noalias() += input(A, lda, rows, k) * input(B, ldb, columns, k).transpose();
#endif
}

void multiply_transposed(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb,
                         int k) {
  if (columns == 1) {
    OutputVector(C, rows).noalias() = input(A, lda, k, rows).transpose() * InputVector(B, k);
  } else if (are_small(rows, columns, k)) {
    multiply_small_transposed<false>(C, ldc, rows, columns, A, lda, B, ldb, k);
  } else {
    output(C, ldc, rows, columns).noalias() = input(A, lda, k, rows).transpose() * input(B, ldb, k, columns);
  }
}

void add_multiply(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb,
                  int k) {
  if (columns == 1) {
    OutputVector(C, rows).noalias() += input(A, lda, rows, k) * InputVector(B, k);
  } else if (are_small(rows, columns, k)) {
    add_small<1>(C, ldc, rows, columns, A, lda, B, 1, ldb, k);
  } else {
    output(C, ldc, rows, columns).noalias() += input(A, lda, rows, k) * input(B, ldb, k, columns);
  }
}

}  // namespace sinew::kernel
