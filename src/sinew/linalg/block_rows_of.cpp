#include "sinew/linalg/block_rows_of.h"

namespace sinew {

BlockRows<double, 3, 3> block_rows_of(const SymBlockMatrix& A, std::span<const char> fixed) {
  const BlockPattern& from = A.pattern();
  BlockRows<double, 3, 3> result;
  result.rows = result.columns = A.rows();
  // Row i: blocks of columns below i, from their rows, then those that A stores.
  result.begin.assign(static_cast<std::size_t>(A.rows()) + 1, 0);
  for (Index i = 0; i < A.rows(); ++i)
    for (auto s = from.row_begin[i]; s < from.row_begin[i + 1]; ++s) {
      ++result.begin[static_cast<std::size_t>(i) + 1];
      const Index j = from.columns[s];
      if (j != i) ++result.begin[static_cast<std::size_t>(j) + 1];
    }
  for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows()); ++i) result.begin[i + 1] += result.begin[i];
  result.column.resize(static_cast<std::size_t>(result.begin.back()));
  std::vector<std::int64_t> source(result.column.size());  // slot, or -1 - slot of a block to transpose
  std::vector<std::int64_t> next(result.begin.begin(), result.begin.end() - 1);
  for (Index i = 0; i < A.rows(); ++i)
    for (auto s = from.row_begin[i]; s < from.row_begin[i + 1]; ++s) {
      const Index j = from.columns[s];
      const auto own = static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++);
      result.column[own] = j;
      source[own] = s;
      if (j == i) continue;
      const auto other = static_cast<std::size_t>(next[static_cast<std::size_t>(j)]++);
      result.column[other] = i;
      source[other] = -1 - s;
    }
  result.values.resize(9 * result.column.size());
  for_block_rows(A.rows(), [&](std::size_t i) {
    for (auto s = result.begin[i]; s < result.begin[i + 1]; ++s) {
      const auto k = static_cast<std::size_t>(s);
      const auto j = static_cast<std::size_t>(result.column[k]);
      const double* a = A.block(source[k] >= 0 ? source[k] : -1 - source[k]);  // by columns
      double* b = result.block(s);
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) {
          const bool is_diagonal = i == j && r == c;
          const bool is_held = !fixed.empty() && (fixed[3 * i + r] || fixed[3 * j + c]);
          b[3 * r + c] = is_held && !is_diagonal ? 0 : source[k] >= 0 ? a[3 * c + r] : a[3 * r + c];
        }
    }
  });
  return result;
}

}  // namespace sinew
