#include "sinew/linalg/block_submatrix.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {

void keep_pattern(std::shared_ptr<const BlockPattern> pattern, SymBlockMatrix& A) {
  if (A.rows() > 0 && A.pattern() == *pattern) return A.set_zero();
  A.set_pattern(std::move(pattern));
}

void principal_submatrix(const SymBlockMatrix& A, std::span<const Index> rows, SymBlockMatrix& C) {
  const BlockPattern& from = A.pattern();
  std::vector<Index> number(static_cast<std::size_t>(from.rows), -1);  // of A's rows in C
  for (std::size_t i = 0; i < rows.size(); ++i) number[rows[i]] = static_cast<Index>(i);
  const auto for_each_block = [&](std::size_t i, auto&& visit) {
    for (auto slot = from.row_begin[rows[i]]; slot < from.row_begin[rows[i] + 1]; ++slot)
      if (number[from.columns[slot]] >= 0) visit(slot);
  };
  auto pattern = std::make_shared<BlockPattern>();
  pattern->rows = static_cast<Index>(rows.size());
  pattern->row_begin.assign(rows.size() + 1, 0);
  parallel_for(rows.size(),
               [&](std::size_t i) { for_each_block(i, [&](std::int64_t) { ++pattern->row_begin[i + 1]; }); });
  for (std::size_t i = 0; i < rows.size(); ++i) pattern->row_begin[i + 1] += pattern->row_begin[i];
  pattern->columns.resize(static_cast<std::size_t>(pattern->row_begin.back()));
  parallel_for(rows.size(), [&](std::size_t i) {
    auto to = pattern->row_begin[i];
    for_each_block(i, [&](std::int64_t slot) { pattern->columns[to++] = number[from.columns[slot]]; });
  });
  keep_pattern(pattern, C);
  parallel_for(rows.size(), [&](std::size_t i) {
    auto to = pattern->row_begin[i];
    for_each_block(i, [&](std::int64_t slot) { std::copy_n(A.block(slot), 9, C.block(to++)); });
  });
}

}  // namespace sinew
