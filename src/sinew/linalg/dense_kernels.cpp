#include "sinew/linalg/dense_kernels.h"

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
  } else {
    output(Y.data, Y.stride, rows, X.count).noalias() -= matrix * input(X.data, X.stride, columns, X.count);
  }
}

void subtract_multiply_transposed(const double* A, int ld, int rows, int columns, Columns X, Columns Y) {
  const Input matrix = input(A, ld, rows, columns);
  if (X.count == 1) {
    OutputVector(Y.data, columns).noalias() -= matrix.transpose() * InputVector(X.data, rows);
  } else {
    output(Y.data, Y.stride, columns, X.count).noalias() -= matrix.transpose() * input(X.data, X.stride, rows, X.count);
  }
}

void add_product(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb, int k) {
  output(C, ldc, rows, columns).noalias() += input(A, lda, rows, k) * input(B, ldb, columns, k).transpose();
}

void multiply_transposed(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb,
                         int k) {
  if (columns == 1) {
    OutputVector(C, rows).noalias() = input(A, lda, k, rows).transpose() * InputVector(B, k);
  } else {
    output(C, ldc, rows, columns).noalias() = input(A, lda, k, rows).transpose() * input(B, ldb, k, columns);
  }
}

void add_multiply(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb,
                  int k) {
  if (columns == 1) {
    OutputVector(C, rows).noalias() += input(A, lda, rows, k) * InputVector(B, k);
  } else {
    output(C, ldc, rows, columns).noalias() += input(A, lda, rows, k) * input(B, ldb, k, columns);
  }
}

}  // namespace sinew::kernel
