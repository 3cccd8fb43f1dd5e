// Symmetric sparse matrix of 3x3 blocks. Only the upper triangle (column >= row) is stored, by block rows.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/linalg/buffer_pool.h"

namespace sinew {

// The structure of a SymBlockMatrix. Each row has its diagonal block first, then columns > row in ascending order.
struct BlockPattern {
  Index rows = 0;
  std::vector<std::int64_t> row_begin;  // rows + 1 entries
  std::vector<Index> columns;           // row_begin[rows] entries

  std::int64_t block_count() const { return row_begin.empty() ? 0 : row_begin.back(); }

  // Returns the slot of block (row, column), row <= column, or -1 if the pattern does not contain it. O(log of the
  // row's length).
  std::int64_t find(Index row, Index column) const;

  // Whether the pattern contains all pairs (row <= column).
  bool contains(std::span<const std::pair<Index, Index>> pairs) const;

  bool operator==(const BlockPattern&) const = default;
};

// The pattern of the diagonal and all given pairs (any order, repetitions allowed).
std::shared_ptr<const BlockPattern> make_pattern(Index rows, std::span<const std::pair<Index, Index>> pairs);

// The union of `base` and the given pairs (any order, repetitions allowed).
std::shared_ptr<const BlockPattern> extend_pattern(const BlockPattern& base,
                                                   std::span<const std::pair<Index, Index>> pairs);

// A term factor u u^T. u is zero except at some block rows.
struct RankOne {
  double factor = 0;
  std::vector<Index> rows;  // ascending
  Points u;                 // 3 x rows
};

class BlockProduct;

// A matrix of blocks, with terms of rank one that join more rows than a pattern could hold, such as the gas in a
// cavity. Products have both. Code that reads blocks must treat ranks() by itself: solvers do so by RankCorrection,
// while preconditioners may leave them out.
class SymBlockMatrix {
 public:
  SymBlockMatrix() = default;
  explicit SymBlockMatrix(std::shared_ptr<const BlockPattern> pattern) { set_pattern(std::move(pattern)); }
  SymBlockMatrix(const SymBlockMatrix& other);
  SymBlockMatrix& operator=(const SymBlockMatrix& other);
  SymBlockMatrix(SymBlockMatrix&&) noexcept = default;
  SymBlockMatrix& operator=(SymBlockMatrix&&) noexcept = default;

  // Sets all values to zero. Reuses storage if it is large enough.
  void set_pattern(std::shared_ptr<const BlockPattern> pattern);
  void set_zero();  // parallel; removes ranks(), too

  const BlockPattern& pattern() const { return *pattern_; }
  std::shared_ptr<const BlockPattern> shared_pattern() const { return pattern_; }
  Index rows() const { return pattern_ ? pattern_->rows : 0; }

  // Block of a slot: 9 values, column-major. One double past the last block may be read (never written).
  double* block(std::int64_t slot) { return values_.data() + 9 * slot; }
  const double* block(std::int64_t slot) const { return values_.data() + 9 * slot; }
  std::span<double> values() { return {values_.data(), value_count()}; }
  std::span<const double> values() const { return {values_.data(), value_count()}; }

  const std::vector<RankOne>& ranks() const { return ranks_; }
  void add_rank(RankOne term) { ranks_.push_back(std::move(term)); }
  std::vector<RankOne> take_ranks() { return std::exchange(ranks_, {}); }

  // y = A x for vectors x, y of 3 rows() entries that do not overlap. Reads each stored block once. The result is the
  // same, bit for bit, for any number of threads. The first product after set_pattern() plans the row chunks. No
  // concurrent products of one matrix.
  void multiply(const double* x, double* y) const;

  // y = A x as above; returns x^T y, formed while y is still in cache.
  double multiply_dot(const double* x, double* y) const;

  // A += other. The pattern of A must contain that of `other`. Parallel.
  void add(const SymBlockMatrix& other);
  // A *= factor.
  void scale(double factor);

  // Zeroes the rows and columns of coordinates with fixed[3 i + axis] != 0 and puts `diagonal` on their diagonal.
  void constrain(std::span<const char> fixed, double diagonal);

  // Bytes of values, columns and row starts.
  std::size_t memory_bytes() const;

 private:
  std::size_t value_count() const { return pattern_ ? 9 * static_cast<std::size_t>(pattern_->block_count()) : 0; }

  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double, HugePageAllocator<double>> values_;  // 9 a block, and one more: columns are loaded as 4 doubles
  std::vector<RankOne> ranks_;
  std::shared_ptr<BlockProduct> product_;  // row chunks and buffers of the product; copies never share it
};

}  // namespace sinew
