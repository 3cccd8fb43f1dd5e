// Sparse matrices of dense R x C blocks by block rows, all blocks stored, with products for eight columns at once.
#pragma once

#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/core/types.h"
#include "sinew/linalg/column_strips.h"

namespace sinew {

inline constexpr std::size_t block_rows_a_chunk = 512;  // of parallel loops

// The value type is float in preconditioners, double elsewhere. Columns ascend in each row.
template <class T, int R, int C>
struct BlockRows {
  Index rows = 0, columns = 0;      // in blocks
  std::vector<std::int64_t> begin;  // rows + 1 entries
  std::vector<Index> column;        // of each block
  StripVector<T> values;            // R C a block, by rows

  T* block(std::int64_t slot) { return values.data() + static_cast<std::ptrdiff_t>(R) * C * slot; }
  const T* block(std::int64_t slot) const { return values.data() + static_cast<std::ptrdiff_t>(R) * C * slot; }
  std::size_t memory_bytes() const {
    return values.size() * sizeof(T) + column.size() * sizeof(Index) + begin.size() * sizeof(std::int64_t);
  }

  // y += sign * (row `i`) x for eight columns. x: C columns rows of eight; y: R rows of eight.
  template <int sign>
  [[gnu::always_inline]] void add_row(std::size_t i, const T* x, Strip<T>* y) const {
    for (std::int64_t slot = begin[i]; slot < begin[i + 1]; ++slot) {
      const T* a = block(slot);
      const T* from = x + static_cast<std::ptrdiff_t>(C * strip_width) * column[static_cast<std::size_t>(slot)];
#pragma GCC unroll 6
      for (int c = 0; c < C; ++c) {
        const Strip<T> xc = load_strip(from + strip_width * c);
#pragma GCC unroll 6
        for (int r = 0; r < R; ++r) y[r] += (sign * a[C * r + c]) * xc;
      }
    }
  }
};

// f(i) for all block rows, in parallel.
template <class F>
void for_block_rows(Index rows, F&& f) {
  parallel_for(static_cast<std::size_t>(rows), std::forward<F>(f), block_rows_a_chunk);
}

// Returns A in single precision.
template <int R, int C>
BlockRows<float, R, C> rounded(const BlockRows<double, R, C>& A) {
  BlockRows<float, R, C> result{A.rows, A.columns, A.begin, A.column, StripVector<float>(A.values.size())};
  parallel_for(
      A.values.size(), [&](std::size_t k) { result.values[k] = static_cast<float>(A.values[k]); }, 1 << 15);
  return result;
}

}  // namespace sinew
