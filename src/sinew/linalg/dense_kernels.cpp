#include "sinew/linalg/dense_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <cblas.h>

extern "C" void openblas_set_num_threads(int threads);

namespace sinew::kernel {
namespace {

// Width of the innermost column blocks: 24 registers of 8 doubles hold 8 rows of one.
constexpr int inner = 24;

using Vec8d = double __attribute__((vector_size(64)));

Vec8d load8(const double* p) {
  Vec8d v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// Rows of X <- X L^{-T} eight at a time, for N columns held in registers; inverse: those of L's diagonal.
template <int N>
void solve_right_fixed(const double* L, int ldl, const double* inverse, double* X, int ldx, int rows) {
  const auto eight_rows = [&](auto load, auto store) {
    Vec8d x[N];
#pragma GCC unroll 24
    for (int j = 0; j < N; ++j) x[j] = load(j);
#pragma GCC unroll 24
    for (int k = 0; k < N; ++k) {
      x[k] *= inverse[k];
#pragma GCC unroll 24
      for (int j = k + 1; j < N; ++j) x[j] -= x[k] * L[j + k * ldl];
    }
#pragma GCC unroll 24
    for (int j = 0; j < N; ++j) store(j, x[j]);
  };
  int i = 0;
  for (; i + 8 <= rows; i += 8) {
    double* Xi = X + i;
    eight_rows([&](int j) { return load8(Xi + static_cast<std::ptrdiff_t>(j) * ldx); },
               [&](int j, Vec8d v) { std::memcpy(Xi + static_cast<std::ptrdiff_t>(j) * ldx, &v, sizeof v); });
  }
  if (i == rows) return;
  const int left = rows - i;
  double buffer[8 * N] = {};
  for (int j = 0; j < N; ++j) std::copy_n(X + i + static_cast<std::ptrdiff_t>(j) * ldx, left, buffer + 8 * j);
  eight_rows([&](int j) { return load8(buffer + 8 * j); },
             [&](int j, Vec8d v) { std::memcpy(buffer + 8 * j, &v, sizeof v); });
  for (int j = 0; j < N; ++j) std::copy_n(buffer + 8 * j, left, X + i + static_cast<std::ptrdiff_t>(j) * ldx);
}

void solve_right_small(const double* L, int ldl, int w, double* X, int ldx, int rows) {
  if (const int threes = w / 3 * 3; threes < w) {  // the last columns one by one
    if (threes > 0) solve_right_small(L, ldl, threes, X, ldx, rows);
    for (int j = threes; j < w; ++j) {
      double* column = X + static_cast<std::ptrdiff_t>(j) * ldx;
      for (int k = 0; k < j; ++k) {
        const double factor = L[j + k * ldl];
        const double* before = X + static_cast<std::ptrdiff_t>(k) * ldx;
        for (int i = 0; i < rows; ++i) column[i] -= factor * before[i];
      }
      const double inverse = 1 / L[j + j * ldl];
      for (int i = 0; i < rows; ++i) column[i] *= inverse;
    }
    return;
  }
  double inverse[inner];
  for (int j = 0; j < w; ++j) inverse[j] = 1 / L[j + j * ldl];
  switch (w) {
    case 3:
      return solve_right_fixed<3>(L, ldl, inverse, X, ldx, rows);
    case 6:
      return solve_right_fixed<6>(L, ldl, inverse, X, ldx, rows);
    case 9:
      return solve_right_fixed<9>(L, ldl, inverse, X, ldx, rows);
    case 12:
      return solve_right_fixed<12>(L, ldl, inverse, X, ldx, rows);
    case 15:
      return solve_right_fixed<15>(L, ldl, inverse, X, ldx, rows);
    case 18:
      return solve_right_fixed<18>(L, ldl, inverse, X, ldx, rows);
    case 21:
      return solve_right_fixed<21>(L, ldl, inverse, X, ldx, rows);
    default:
      return solve_right_fixed<24>(L, ldl, inverse, X, ldx, rows);
  }
}

int first_half(int w) {
  return std::max((w / 2) / inner, 1) * inner;
}

// Unblocked, for w <= inner.
bool factor_small(double* D, int ld, int w, const double* floor) {
  for (int k = 0; k < w; ++k) {
    double* column = D + static_cast<std::ptrdiff_t>(k) * ld;
    if (!(column[k] > floor[k]) || !std::isfinite(column[k])) return false;
    const double pivot = std::sqrt(column[k]), inverse = 1 / pivot;
    column[k] = pivot;
    for (int i = k + 1; i < w; ++i) column[i] *= inverse;
    for (int j = k + 1; j < w; ++j) {
      double* target = D + static_cast<std::ptrdiff_t>(j) * ld;
      const double factor = column[j];
      for (int i = j; i < w; ++i) target[i] -= column[i] * factor;
    }
  }
  return true;
}

}  // namespace

// Both recurse by halves (multiples of `inner`), which leaves most of the work to large products.
bool factor_diagonal(double* D, int ld, int w, const double* floor) {
  if (w <= inner) return factor_small(D, ld, w, floor);
  const int half = first_half(w), rest = w - half;
  double* below = D + half;
  double* corner = below + static_cast<std::ptrdiff_t>(half) * ld;
  if (!factor_diagonal(D, ld, half, floor)) return false;
  solve_right(D, ld, half, below, ld, rest);
  subtract_square(corner, ld, rest, below, ld, half);
  return factor_diagonal(corner, ld, rest, floor + half);
}

void solve_right(const double* L, int ldl, int w, double* X, int ldx, int rows) {
  if (w <= inner) return solve_right_small(L, ldl, w, X, ldx, rows);
  const int half = first_half(w), rest = w - half;
  double* right = X + static_cast<std::ptrdiff_t>(half) * ldx;
  solve_right(L, ldl, half, X, ldx, rows);
  subtract_product(right, ldx, rows, rest, X, ldx, L + half, ldl, half);
  solve_right(L + half + static_cast<std::ptrdiff_t>(half) * ldl, ldl, rest, right, ldx, rows);
}

void subtract_product(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb,
                      int k) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, rows, columns, k, -1.0, A, lda, B, ldb, 1.0, C, ldc);
}

void subtract_square(double* C, int ldc, int size, const double* A, int lda, int k) {
  // A small dsyrk runs at less than half the speed of a dgemm.
  constexpr int gemm_size = 96;
  if (size <= gemm_size) return subtract_product(C, ldc, size, size, A, lda, A, lda, k);
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, size, k, -1.0, A, lda, 1.0, C, ldc);
}

void solve_lower(const double* L, int ld, int w, double* x) {
  cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, w, L, ld, x, 1);
}

void solve_lower_transposed(const double* L, int ld, int w, double* x) {
  cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, w, L, ld, x, 1);
}

void subtract_multiply(const double* A, int ld, int rows, int columns, const double* x, double* y) {
  cblas_dgemv(CblasColMajor, CblasNoTrans, rows, columns, -1.0, A, ld, x, 1, 1.0, y, 1);
}

void subtract_multiply_transposed(const double* A, int ld, int rows, int columns, const double* x, double* y) {
  cblas_dgemv(CblasColMajor, CblasTrans, rows, columns, -1.0, A, ld, x, 1, 1.0, y, 1);
}

void add_product(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb, int k) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, rows, columns, k, 1.0, A, lda, B, ldb, 1.0, C, ldc);
}

void multiply_transposed(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb,
                         int k) {
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, columns, k, 1.0, A, lda, B, ldb, 0.0, C, ldc);
}

void add_multiply(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb,
                  int k) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, columns, k, 1.0, A, lda, B, ldb, 1.0, C, ldc);
}

void use_one_blas_thread() {
  openblas_set_num_threads(1);
}

}  // namespace sinew::kernel
