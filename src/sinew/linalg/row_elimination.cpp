#include "sinew/linalg/row_elimination.h"

#include <algorithm>
#include <cstring>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 512;  // rows a task

CholeskyOptions options() {
  CholeskyOptions options;
  options.compact = true;
  return options;
}

// y -= B x for a 3x3 block.
void subtract_product(const float* B, const double* x, double* y) {
  for (int a = 0; a < 3; ++a) y[a] -= B[a] * x[0] + B[3 + a] * x[1] + B[6 + a] * x[2];
}

// y -= B^T x.
void subtract_transposed(const float* B, const double* x, double* y) {
  for (int a = 0; a < 3; ++a) y[a] -= B[3 * a] * x[0] + B[3 * a + 1] * x[1] + B[3 * a + 2] * x[2];
}

}  // namespace

RowElimination::RowElimination() {
  reset();
}

void RowElimination::reset() {
  cholesky_ = std::make_unique<SparseCholesky>(options());
  pattern_.reset();
  rows_.clear();
  part_ = {};
  computed_ = false;
}

// Sorts the blocks (i, j), i <= j, of A: into A_JJ where both rows are in J, into the coupling A_JR where one is,
// neither otherwise. The couplings are listed by rows of J, for A_JR z_R, and by the rows of R that have some (the
// ring), for A_RJ x_J: each product then writes a row by one task.
void RowElimination::set_rows(const std::shared_ptr<const BlockPattern>& pattern, std::span<const Index> rows) {
  pattern_ = pattern;
  rows_.assign(rows.begin(), rows.end());
  place_.assign(pattern->rows, -1);
  for (std::size_t k = 0; k < rows_.size(); ++k) place_[rows_[k]] = static_cast<Index>(k);
  // One pass over the blocks of the upper triangle.
  BlockPattern part;
  part.rows = static_cast<Index>(rows_.size());
  part.row_begin = {0};
  part_slots_.clear();
  block_slots_.clear();
  std::vector<std::pair<Index, Index>> pairs;  // place in J, row of R, by block
  for (Index i = 0; i < pattern->rows; ++i) {
    const Index k = place_[i];
    for (auto s = pattern->row_begin[i]; s < pattern->row_begin[i + 1]; ++s) {
      const Index j = pattern->columns[s], l = place_[j];
      if (k >= 0 && l >= 0) {
        part.columns.push_back(l);
        part_slots_.push_back(s);
      } else if (k >= 0 || l >= 0) {
        pairs.emplace_back(k >= 0 ? k : l, k >= 0 ? j : i);
        block_slots_.push_back(s);
      }
    }
    if (k >= 0) part.row_begin.push_back(static_cast<std::int64_t>(part_slots_.size()));
  }
  // An equal pattern stays the same object, so that the symbolic factorisation is kept.
  if (!part_.shared_pattern() || part_.pattern() != part)
    part_.set_pattern(std::make_shared<const BlockPattern>(std::move(part)));

  // Couplings by rows of J and by rows of the ring, two counting sorts.
  std::vector<Index> count(pattern->rows, 0);
  row_begin_.assign(rows_.size() + 1, 0);
  for (const auto& [k, other] : pairs) {
    ++row_begin_[k + 1];
    ++count[other];
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) row_begin_[k + 1] += row_begin_[k];
  ring_.clear();
  ring_begin_ = {0};
  for (Index i = 0; i < pattern->rows; ++i) {
    if (count[i] == 0) continue;
    ring_.push_back(i);
    ring_begin_.push_back(ring_begin_.back() + count[i]);
    count[i] = ring_begin_[ring_begin_.size() - 2];  // from here on: where its next coupling goes
  }
  of_row_.resize(pairs.size());
  of_ring_.resize(pairs.size());
  std::vector<Index> next(row_begin_.begin(), row_begin_.end() - 1);
  for (std::size_t b = 0; b < pairs.size(); ++b) {
    const auto [k, other] = pairs[b];
    of_row_[next[k]++] = {other, static_cast<Index>(b)};
    of_ring_[count[other]++] = {k, static_cast<Index>(b)};
  }
}

// Copies A_JJ, and A_JR in single precision with blocks oriented (row of J, other row).
void RowElimination::copy_values(const SymBlockMatrix& A) {
  parallel_for(
      part_slots_.size(), [&](std::size_t s) { std::copy_n(A.block(part_slots_[s]), 9, part_.block(s)); }, 4 * grain);
  blocks_.resize(9 * block_slots_.size());
  parallel_for(
      rows_.size(),
      [&](std::size_t k) {
        for (Index c = row_begin_[k]; c < row_begin_[k + 1]; ++c) {
          const auto [other, b] = of_row_[c];
          const double* from = A.block(block_slots_[b]);
          float* to = blocks_.data() + 9 * static_cast<std::size_t>(b);
          const bool transposed = other < rows_[k];
          for (int column = 0; column < 3; ++column)
            for (int row = 0; row < 3; ++row)
              to[3 * column + row] = static_cast<float>(from[transposed ? 3 * row + column : 3 * column + row]);
        }
      },
      grain);
}

// Factors A_JJ. The symbolic part is kept while pattern and rows stay the same.
bool RowElimination::compute(const SymBlockMatrix& A, std::span<const Index> rows) {
  computed_ = false;
  if (rows.empty()) return true;
  if (pattern_ != A.shared_pattern() || !std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end()))
    set_rows(A.shared_pattern(), rows);
  copy_values(A);
  b_.resize(3 * rows_.size());
  x_.resize(3 * rows_.size());
  return computed_ = cholesky_->compute(part_);
}

// x_J = A_JJ^-1 r_J; t_J = 0, t_R = r_R - A_RJ x_J.
void RowElimination::forward(const double* r, double* t) {
  const std::size_t n = 3 * static_cast<std::size_t>(pattern_->rows);
  parallel_chunks(n, 1 << 14, [&](std::size_t begin, std::size_t end) { std::copy(r + begin, r + end, t + begin); });
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    std::copy_n(r + 3 * static_cast<std::size_t>(rows_[k]), 3, b_.data() + 3 * k);
    std::fill_n(t + 3 * static_cast<std::size_t>(rows_[k]), 3, 0.0);
  }
  cholesky_->solve(b_.data(), x_.data());
  parallel_for(
      ring_.size(),
      [&](std::size_t i) {
        double* out = t + 3 * static_cast<std::size_t>(ring_[i]);
        for (Index c = ring_begin_[i]; c < ring_begin_[i + 1]; ++c)
          subtract_transposed(blocks_.data() + 9 * static_cast<std::size_t>(of_ring_[c].block),
                              x_.data() + 3 * static_cast<std::size_t>(of_ring_[c].other), out);
      },
      grain);
}

// z_J = A_JJ^-1 (r_J - A_JR z_R).
void RowElimination::backward(const double* r, double* z) {
  parallel_for(
      rows_.size(),
      [&](std::size_t k) {
        double* out = b_.data() + 3 * k;
        std::copy_n(r + 3 * static_cast<std::size_t>(rows_[k]), 3, out);
        for (Index c = row_begin_[k]; c < row_begin_[k + 1]; ++c)
          subtract_product(blocks_.data() + 9 * static_cast<std::size_t>(of_row_[c].block),
                           z + 3 * static_cast<std::size_t>(of_row_[c].other), out);
      },
      grain);
  cholesky_->solve(b_.data(), x_.data());
  for (std::size_t k = 0; k < rows_.size(); ++k)
    std::copy_n(x_.data() + 3 * k, 3, z + 3 * static_cast<std::size_t>(rows_[k]));
}

}  // namespace sinew
