#include "sinew/linalg/principal_factor.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

CholeskyOptions options() {
  CholeskyOptions options;
  options.compact = true;
  return options;
}

}  // namespace

PrincipalFactor::PrincipalFactor() {
  reset();
}

void PrincipalFactor::reset() {
  cholesky_ = std::make_unique<SparseCholesky>(options());
  rows_.clear();
  place_.clear();
  part_ = {};
  computed_ = false;
}

bool PrincipalFactor::compute(const SymBlockMatrix& A, std::span<const Index> rows) {
  computed_ = false;
  const BlockPattern& all = A.pattern();
  place_.resize(all.rows, -1);
  for (const Index row : rows_) place_[row] = -1;
  rows_.assign(rows.begin(), rows.end());
  if (rows_.empty()) return true;
  for (std::size_t k = 0; k < rows_.size(); ++k) place_[rows_[k]] = static_cast<Index>(k);
  BlockPattern pattern;
  pattern.rows = static_cast<Index>(rows_.size());
  pattern.row_begin.assign(rows_.size() + 1, 0);
  std::vector<std::int64_t> slots;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    for (auto s = all.row_begin[rows_[k]]; s < all.row_begin[rows_[k] + 1]; ++s) {
      const Index column = place_[all.columns[s]];
      if (column < 0) continue;
      pattern.columns.push_back(column);
      slots.push_back(s);
    }
    pattern.row_begin[k + 1] = static_cast<std::int64_t>(slots.size());
  }
  // The same object while it is the same, so that what was analysed serves on.
  if (!part_.shared_pattern() || part_.pattern() != pattern)
    part_.set_pattern(std::make_shared<const BlockPattern>(std::move(pattern)));
  for (std::size_t s = 0; s < slots.size(); ++s) std::copy_n(A.block(slots[s]), 9, part_.block(s));
  b_.resize(3 * rows_.size());
  x_.resize(3 * rows_.size());
  return computed_ = cholesky_->compute(part_);
}

void PrincipalFactor::solve(const double* r, double* z) {
  if (!computed_) return;
  for (std::size_t k = 0; k < rows_.size(); ++k) std::copy_n(r + 3 * rows_[k], 3, b_.data() + 3 * k);
  cholesky_->solve(b_.data(), x_.data());
  for (std::size_t k = 0; k < rows_.size(); ++k) std::copy_n(x_.data() + 3 * k, 3, z + 3 * rows_[k]);
}

}  // namespace sinew
