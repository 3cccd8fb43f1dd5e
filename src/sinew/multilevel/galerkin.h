// The matrix A = U^T H U of a handle basis for a sparse symmetric matrix H over the vertices.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sinew/linalg/block_matrix.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// A has a 3x3 block row for each column of W (U = W (x) I_3): row 4 i + k for monomial k of handle i.
//
// One pass over H in chunks of consecutive vertices. T = H W for some rows, with H's upper triangle and half of its
// diagonal; W^T T is added to the sums of the chunk. A chunk numbers the handle pairs that it touches. The chunks
// are added in order and the result is symmetrised, so the bits do not depend on the number of threads. About 5 kflop
// and 1.5 kB per vertex.
class GalerkinProduct {
 public:
  // `basis` and `rest` are not kept.
  GalerkinProduct(const HandleBasis& basis, const Points& rest);

  // A = U^T P H P U + base; base: null, or A of an earlier call. P is zero at coordinates with fixed[3 i + axis] != 0
  // (empty: none). Rows and columns of H there must be zero except for the diagonal (SymBlockMatrix::constrain). Zero
  // blocks of H cost next to nothing. The pattern of A stays the same object while it holds all handle pairs of H.
  void compute(const SymBlockMatrix& H, std::span<const char> fixed, SymBlockMatrix& A,
               const SymBlockMatrix* base = nullptr);

  // Forgets the pairs of earlier matrices: the bits of A's later factorisations then do not depend on them.
  void reset() { pairs_.clear(); }

  std::size_t memory_bytes() const;

 private:
  using Pair = std::pair<Index, Index>;  // handles, first <= second
  static constexpr int pair_size = 144;  // doubles: for each monomial of the row 4 blocks of 9

  struct Entry {
    Index row, column;   // handles
    std::size_t offset;  // into sums
  };
  struct Chunk {
    std::vector<Entry> entries;  // in the order of their first use
    std::vector<double> sums;    // pair_size each
  };
  struct Masked;
  struct Scratch;

  void number_handles(const Masked& masked, std::size_t first, std::size_t last, Scratch& scratch) const;
  void gather_group(const Masked& masked, std::span<const Index> vertices, Scratch& scratch) const;
  static void multiply_group(Scratch& scratch, Chunk& chunk);
  void sum_chunk(const Masked& masked, std::size_t chunk);
  void update_pattern();
  void gather(SymBlockMatrix& A) const;

  const double* scalars(std::int64_t entry) const { return values_.data() + 4 * entry; }

  Index handles_ = 0;
  std::vector<std::int64_t> begin_;  // n + 1
  std::vector<Index> handle_;
  std::vector<double> values_;  // 4 a weight: phi (1, (X - c) / r)
  std::vector<Index> order_;    // vertices, chunk by chunk
  std::vector<Chunk> chunks_;
  std::vector<Pair> pairs_;                      // of A's pattern, sorted
  std::vector<std::int64_t> pair_begin_;         // by first handle, into pairs_
  std::shared_ptr<const BlockPattern> pattern_;  // of A
};

}  // namespace sinew
