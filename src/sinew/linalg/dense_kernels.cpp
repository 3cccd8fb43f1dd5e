#include "sinew/linalg/dense_kernels.h"

#include <cblas.h>

extern "C" void openblas_set_num_threads(int threads);

namespace sinew::kernel {

// One vector goes to the routines for vectors, which read the matrix with less overhead.
void solve_lower(const double* L, int ld, int w, Columns X) {
  if (X.count == 1) return cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, w, L, ld, X.data, 1);
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, w, X.count, 1.0, L, ld, X.data,
              X.stride);
}

void solve_lower_transposed(const double* L, int ld, int w, Columns X) {
  if (X.count == 1) return cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, w, L, ld, X.data, 1);
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, w, X.count, 1.0, L, ld, X.data, X.stride);
}

void subtract_multiply(const double* A, int ld, int rows, int columns, Columns X, Columns Y) {
  if (X.count == 1)
    return cblas_dgemv(CblasColMajor, CblasNoTrans, rows, columns, -1.0, A, ld, X.data, 1, 1.0, Y.data, 1);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, X.count, columns, -1.0, A, ld, X.data, X.stride, 1.0,
              Y.data, Y.stride);
}

void subtract_multiply_transposed(const double* A, int ld, int rows, int columns, Columns X, Columns Y) {
  if (X.count == 1)
    return cblas_dgemv(CblasColMajor, CblasTrans, rows, columns, -1.0, A, ld, X.data, 1, 1.0, Y.data, 1);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, columns, X.count, rows, -1.0, A, ld, X.data, X.stride, 1.0,
              Y.data, Y.stride);
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
