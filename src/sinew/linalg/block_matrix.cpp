#include "sinew/linalg/block_matrix.h"

#include <algorithm>
#include <atomic>
#include <cassert>

#include "sinew/core/parallel.h"
#include "sinew/linalg/block_product.h"

namespace sinew {
namespace {

using Pair = std::pair<Index, Index>;

// The pair as (row, column) of the upper triangle.
Pair upper(const Pair& pair) {
  return std::minmax(pair.first, pair.second);
}

// Row starts from row lengths stored in begin[row + 1].
void accumulate(std::vector<std::int64_t>& begin) {
  for (std::size_t row = 1; row < begin.size(); ++row) begin[row] += begin[row - 1];
}

// Off-diagonal columns of each row, unsorted and with repetitions, by a counting sort. The order within a row depends
// on the threads; sorting the rows removes that.
struct Buckets {
  std::vector<std::int64_t> begin;  // rows + 1
  std::vector<Index> columns;
};

Buckets bucket_by_row(Index rows, std::span<const Pair> pairs) {
  Buckets buckets{std::vector<std::int64_t>(static_cast<std::size_t>(rows) + 1, 0), {}};
  parallel_for(pairs.size(), [&](std::size_t k) {
    const auto [row, column] = upper(pairs[k]);
    assert(row >= 0 && column < rows);
    if (row != column) std::atomic_ref(buckets.begin[row + 1]).fetch_add(1, std::memory_order_relaxed);
  });
  accumulate(buckets.begin);
  buckets.columns.resize(buckets.begin.back());
  std::vector<std::int64_t> cursor(buckets.begin.begin(), buckets.begin.end() - 1);
  parallel_for(pairs.size(), [&](std::size_t k) {
    const auto [row, column] = upper(pairs[k]);
    if (row == column) return;
    buckets.columns[std::atomic_ref(cursor[row]).fetch_add(1, std::memory_order_relaxed)] = column;
  });
  return buckets;
}

// The pattern whose row holds its diagonal and the first lengths[row] of its bucket.
std::shared_ptr<const BlockPattern> compact(Index rows, const Buckets& buckets, const std::vector<Index>& lengths) {
  auto pattern = std::make_shared<BlockPattern>();
  pattern->rows = rows;
  pattern->row_begin.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (Index row = 0; row < rows; ++row) pattern->row_begin[row + 1] = pattern->row_begin[row] + 1 + lengths[row];
  pattern->columns.resize(pattern->row_begin.back());
  parallel_for(rows, [&](std::size_t row) {
    Index* target = pattern->columns.data() + pattern->row_begin[row];
    *target = static_cast<Index>(row);
    std::copy_n(buckets.columns.data() + buckets.begin[row], lengths[row], target + 1);
  });
  return pattern;
}

// y += factor u (u . x); returns what it adds to x . y. Serial: rows are those of a surface.
double add_product(const RankOne& term, const double* x, double* y) {
  double along = 0;
  for (std::size_t i = 0; i < term.rows.size(); ++i) {
    const double *u = term.u.data() + 3 * i, *own = x + 3 * static_cast<std::size_t>(term.rows[i]);
    along += u[0] * own[0] + u[1] * own[1] + u[2] * own[2];
  }
  const double share = term.factor * along;
  for (std::size_t i = 0; i < term.rows.size(); ++i)
    for (int k = 0; k < 3; ++k) y[3 * static_cast<std::size_t>(term.rows[i]) + k] += share * term.u.data()[3 * i + k];
  return share * along;
}

}  // namespace

// Binary search among the columns of the row; the diagonal comes first.
std::int64_t BlockPattern::find(Index row, Index column) const {
  if (row == column) return row_begin[row];
  const auto begin = columns.begin() + row_begin[row] + 1, end = columns.begin() + row_begin[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? found - columns.begin() : -1;
}

// Whether each pair has a block. Tasks stop once one has found a pair without.
bool BlockPattern::contains(std::span<const Pair> pairs) const {
  std::atomic<bool> all = true;
  parallel_chunks(pairs.size(), 4096, [&](std::size_t begin, std::size_t end) {
    if (!all.load(std::memory_order_relaxed)) return;
    for (std::size_t k = begin; k < end; ++k)
      if (find(pairs[k].first, pairs[k].second) < 0) return all.store(false, std::memory_order_relaxed);
  });
  return all;
}

// O(pairs log(pairs of a row)): bucket by row, sort each row, drop repetitions.
std::shared_ptr<const BlockPattern> make_pattern(Index rows, std::span<const Pair> pairs) {
  Buckets buckets = bucket_by_row(rows, pairs);
  std::vector<Index> lengths(rows);
  parallel_for(rows, [&](std::size_t row) {
    const auto begin = buckets.columns.begin() + buckets.begin[row];
    const auto end = buckets.columns.begin() + buckets.begin[row + 1];
    std::sort(begin, end);
    lengths[row] = static_cast<Index>(std::unique(begin, end) - begin);
  });
  return compact(rows, buckets, lengths);
}

// The union of a pattern and some pairs: the new columns of each row are sorted and merged into the old ones, so that a
// few contacts cost no sort of the whole pattern.
std::shared_ptr<const BlockPattern> extend_pattern(const BlockPattern& base, std::span<const Pair> pairs) {
  Buckets added = bucket_by_row(base.rows, pairs);
  std::vector<Index> fresh(base.rows);  // per row: how many of its sorted bucket are new
  parallel_for(base.rows, [&](std::size_t row) {
    const auto begin = added.columns.begin() + added.begin[row];
    auto end = added.columns.begin() + added.begin[row + 1];
    if (begin == end) return;
    std::sort(begin, end);
    end = std::unique(begin, end);
    end = std::remove_if(begin, end, [&](Index column) { return base.find(static_cast<Index>(row), column) >= 0; });
    fresh[row] = static_cast<Index>(end - begin);
  });
  // Row starts of the union, then a merge of both lists row by row.
  auto pattern = std::make_shared<BlockPattern>();
  pattern->rows = base.rows;
  pattern->row_begin.resize(base.row_begin.size(), 0);
  for (Index row = 0; row < base.rows; ++row) {
    pattern->row_begin[row + 1] =
        pattern->row_begin[row] + (base.row_begin[row + 1] - base.row_begin[row]) + fresh[row];
  }
  pattern->columns.resize(pattern->row_begin.back());
  parallel_for(base.rows, [&](std::size_t row) {
    const Index* old_begin = base.columns.data() + base.row_begin[row];
    const Index* old_end = base.columns.data() + base.row_begin[row + 1];
    const Index* new_begin = added.columns.data() + added.begin[row];
    std::merge(old_begin, old_end, new_begin, new_begin + fresh[row],
               pattern->columns.data() + pattern->row_begin[row]);
  });
  return pattern;
}

// Copies share the pattern, but not the work arrays of products, which two threads might use at once.
SymBlockMatrix::SymBlockMatrix(const SymBlockMatrix& other)
    : pattern_(other.pattern_),
      values_(other.values_),
      ranks_(other.ranks_),
      product_(other.pattern_ ? std::make_shared<BlockProduct>() : nullptr) {}

SymBlockMatrix& SymBlockMatrix::operator=(const SymBlockMatrix& other) {
  if (this != &other) {
    if (pattern_ != other.pattern_) product_ = other.pattern_ ? std::make_shared<BlockProduct>() : nullptr;
    pattern_ = other.pattern_;
    values_ = other.values_;
    ranks_ = other.ranks_;
  }
  return *this;
}

// One entry beyond the blocks, so that the last column of each loads as four doubles.
void SymBlockMatrix::set_pattern(std::shared_ptr<const BlockPattern> pattern) {
  const bool same = pattern == pattern_ && pattern_;
  pattern_ = std::move(pattern);
  if (value_count() + 1 > values_.capacity()) {
    values_.clear();                                         // nothing to copy
    values_.reserve(value_count() + value_count() / 8 + 1);  // contacts come and go
  }
  values_.resize(value_count() + 1);
  if (!same) product_ = std::make_shared<BlockProduct>();
  set_zero();
}

void SymBlockMatrix::set_zero() {
  ranks_.clear();
  parallel_chunks(values_.size(), 1 << 15, [&](std::size_t begin, std::size_t end) {
    std::fill(values_.begin() + begin, values_.begin() + end, 0.0);
  });
}

void SymBlockMatrix::multiply(const double* x, double* y) const {
  if (rows() > 0) product_->multiply(*pattern_, values_.data(), x, y, nullptr);
  for (const RankOne& term : ranks_) add_product(term, x, y);
}

// y = A x and x . y in one pass over A.
double SymBlockMatrix::multiply_dot(const double* x, double* y) const {
  double dot = 0;
  if (rows() > 0) product_->multiply(*pattern_, values_.data(), x, y, &dot);
  for (const RankOne& term : ranks_) dot += add_product(term, x, y);
  return dot;
}

// The columns of each row ascend in both patterns, so that one merge finds the slots.
void SymBlockMatrix::add(const SymBlockMatrix& other) {
  assert(rows() >= other.rows());
  ranks_.insert(ranks_.end(), other.ranks_.begin(), other.ranks_.end());
  if (pattern_ == other.pattern_) {
    parallel_chunks(value_count(), 1 << 15, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) values_[i] += other.values_[i];
    });
    return;
  }
  const BlockPattern& from = other.pattern();
  parallel_for(other.rows(), [&](std::size_t row) {
    std::int64_t slot = pattern_->row_begin[row];
    for (std::int64_t s = from.row_begin[row]; s < from.row_begin[row + 1]; ++s) {
      while (pattern_->columns[slot] != from.columns[s]) ++slot;
      for (int e = 0; e < 9; ++e) block(slot)[e] += other.block(s)[e];
    }
  });
}

void SymBlockMatrix::scale(double factor) {
  for (RankOne& term : ranks_) term.factor *= factor;
  parallel_chunks(value_count(), 1 << 15, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) values_[i] *= factor;
  });
}

// Rows and columns of fixed coordinates become those of diagonal * I, which decouples them.
void SymBlockMatrix::constrain(std::span<const char> fixed, double diagonal) {
  assert(fixed.size() == 3 * static_cast<std::size_t>(rows()));
  for (RankOne& term : ranks_)
    for (std::size_t i = 0; i < term.rows.size(); ++i)
      for (int k = 0; k < 3; ++k)
        if (fixed[3 * static_cast<std::size_t>(term.rows[i]) + k]) term.u(k, static_cast<Index>(i)) = 0;
  parallel_for(rows(), [&](std::size_t row) {
    const char* row_fixed = fixed.data() + 3 * row;
    const bool any = row_fixed[0] || row_fixed[1] || row_fixed[2];
    for (std::int64_t slot = pattern_->row_begin[row]; slot < pattern_->row_begin[row + 1]; ++slot) {
      const char* column_fixed = fixed.data() + 3 * static_cast<std::size_t>(pattern_->columns[slot]);
      if (!any && !column_fixed[0] && !column_fixed[1] && !column_fixed[2]) continue;
      double* B = block(slot);
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
          if (row_fixed[r] || column_fixed[c]) B[3 * c + r] = 0.0;
    }
    double* D = block(pattern_->row_begin[row]);
    for (int a = 0; a < 3; ++a)
      if (row_fixed[a]) D[4 * a] = diagonal;
  });
}

std::size_t SymBlockMatrix::memory_bytes() const {
  if (!pattern_) return 0;
  std::size_t terms = 0;
  for (const RankOne& term : ranks_) terms += term.rows.size() * (3 * sizeof(double) + sizeof(Index));
  return terms + sizeof(double) * values_.size() + sizeof(Index) * pattern_->columns.size() +
         sizeof(std::int64_t) * pattern_->row_begin.size() + product_->memory_bytes();
}

}  // namespace sinew
