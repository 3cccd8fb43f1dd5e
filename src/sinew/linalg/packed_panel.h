// Partial Cholesky factorisation of a front, by one micro-kernel over strips of rows.
//
// The pivot columns of a front (its panel, n x w, column-major) are factored in place, in blocks of columns K. Finished
// blocks are copied into strips: `strip_rows` rows of one block, column after column. The micro-kernel then reads both
// factors of every product from consecutive addresses. A strip has as many rows as 3 registers. One register's rows,
// transposed, serve as the columns of another product, so one copy serves both sides. Rows of pivots and rows below
// them are divided into strips separately; the last strip of each may be partly filled.
//
//     | L11      |   L_KK L_KK^T = A_KK - sum_{J < K} L_KJ L_KJ^T          update(), factor_diagonal()
//     | L21   S  |   L_iK = (A_iK - sum_{J < K} L_iJ L_KJ^T) L_KK^{-T}     update(), solve()
//                    S    = - L21 L21^T                                    schur_complement()
//
// Every entry is summed in the same order for any range of strips. Threads may therefore share the strips without
// changing results.
#pragma once

#include <cstddef>

namespace sinew::kernel {

#if defined(__AVX512F__)
inline constexpr int vector_rows = 8;
#elif defined(__AVX__)
inline constexpr int vector_rows = 4;
#else
inline constexpr int vector_rows = 2;
#endif
inline constexpr int strip_rows = 3 * vector_rows;  // the 3 x vector_rows sums of the micro-tile fill the registers
inline constexpr int block_columns = 144;           // one strip of a block (27 kB) stays in the first-level cache

class PackedPanel {
 public:
  // L: rows x width, leading dimension `rows`; entries above the diagonal become undefined. storage: size() doubles.
  PackedPanel(double* L, int rows, int width, double* storage);
  static std::size_t size(int rows, int width);

  int blocks() const { return (width_ + block_columns - 1) / block_columns; }
  int strips() const { return pivot_strips_ + (rows_ - width_ + strip_rows - 1) / strip_rows; }
  int first_strip(int K) const { return K * (block_columns / strip_rows); }  // first strip of the diagonal block
  int first_strip_below(int K) const;                                        // first strip below the diagonal block

  // For strips [first, last) of block column K, including the diagonal block: subtracts the products of the blocks
  // before K.
  void update(int K, int first, int last);

  // Factors the diagonal block K after update(). Returns false if pivot j of the panel is not finite or not above
  // floor[j].
  bool factor_diagonal(int K, const double* floor);

  // For strips [first, last) below the diagonal block K, after update(): X <- X L_KK^{-T}.
  void solve(int K, int first, int last);

  // Calls the functions above for all blocks, on one thread.
  bool factor(const double* floor);

  // C = -L21 L21^T for `rows` rows from `row` on and `columns` columns from `column` on, counted from below the pivots.
  // row and column must be multiples of strip_rows. If row == column, entries above the diagonal are written only
  // within square blocks of strips. The rows of C are written up to the next multiple of vector_rows.
  void schur_complement(double* C, int ldc, int row, int rows, int column, int columns) const;

 private:
  int row(int s) const { return s < pivot_strips_ ? s * strip_rows : width_ + (s - pivot_strips_) * strip_rows; }
  int height(int s) const;
  int depth(int K) const;                  // number of columns of block K
  std::size_t offset(int K, int s) const;  // offset of strip s in the storage; s >= first_strip(K)
  double* strip(int K, int s) const;
  double* entry(int i, int j) const { return L_ + static_cast<std::size_t>(j) * rows_ + i; }
  template <int V>
  void update_strip(int K, int J, int s);
  template <int V>
  void solve_strip(int K, int s, int columns);
  template <int V>
  void schur_strip(double* C, std::ptrdiff_t ldc, int K, int s, int t, int columns) const;
  template <int V>
  bool factor_group(int K, int s, int group, const double* floor);

  double* L_;
  int rows_, width_, pivot_strips_;
  double* storage_;
};

}  // namespace sinew::kernel
