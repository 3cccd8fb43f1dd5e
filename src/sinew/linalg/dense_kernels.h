// Dense kernels by Eigen, column-major, each on the calling thread. Their bits depend only on the sizes.
#pragma once

namespace sinew::kernel {

// `count` vectors in memory; each begins `stride` doubles after the one before.
struct Columns {
  double* data;
  int stride, count;
  Columns from(int row) const { return {data + row, stride, count}; }
};

// X <- L^{-1} X and X <- L^{-T} X for w x w lower triangular L.
void solve_lower(const double* L, int ld, int w, Columns X);
void solve_lower_transposed(const double* L, int ld, int w, Columns X);

// Y <- Y - A X and Y <- Y - A^T X for A of rows x columns.
void subtract_multiply(const double* A, int ld, int rows, int columns, Columns X, Columns Y);
void subtract_multiply_transposed(const double* A, int ld, int rows, int columns, Columns X, Columns Y);

// C <- C + A B^T, C of rows x columns, A rows x k, B columns x k.
void add_product(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb, int k);

// C <- A^T B, C of rows x columns, A k x rows, B k x columns.
void multiply_transposed(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb,
                         int k);

// C <- C + A B, C of rows x columns, A rows x k, B k x columns.
void add_multiply(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb, int k);

}  // namespace sinew::kernel
