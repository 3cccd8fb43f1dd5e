// Dense kernels of the multifrontal factorisation, column-major, each on one thread: their bits depend on sizes alone.
#pragma once

namespace sinew::kernel {

// Factors the lower triangle of the w x w matrix D into L L^T in place. False, and D is left in an undefined state,
// when pivot j is not above floor[j] (a pivot that is not a number is not).
bool factor_diagonal(double* D, int ld, int w, const double* floor);

// X <- X L^{-T} for X of `rows` x w and L from factor_diagonal().
void solve_right(const double* L, int ldl, int w, double* X, int ldx, int rows);

// C <- C - A B^T, C of rows x columns, A rows x k, B columns x k.
void subtract_product(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb,
                      int k);

// Lower triangle of C <- C - A A^T, C of size x size; above the diagonal C may change.
void subtract_square(double* C, int ldc, int size, const double* A, int lda, int k);

// x <- L^{-1} x and x <- L^{-T} x for w x w lower triangular L.
void solve_lower(const double* L, int ld, int w, double* x);
void solve_lower_transposed(const double* L, int ld, int w, double* x);

// y <- y - A x and y <- y - A^T x for A of rows x columns.
void subtract_multiply(const double* A, int ld, int rows, int columns, const double* x, double* y);
void subtract_multiply_transposed(const double* A, int ld, int rows, int columns, const double* x, double* y);

// C <- C + A B^T, C of rows x columns, A rows x k, B columns x k.
void add_product(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb, int k);

// C <- A^T B, C of rows x columns, A k x rows, B k x columns.
void multiply_transposed(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb,
                         int k);

// C <- C + A B, C of rows x columns, A rows x k, B k x columns.
void add_multiply(double* C, int ldc, int rows, int columns, const double* A, int lda, const double* B, int ldb, int k);

// Makes the BLAS run each call on its caller's thread. Cheap; a setting of the process.
void use_one_blas_thread();

}  // namespace sinew::kernel
