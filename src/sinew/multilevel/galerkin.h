// Computes A = U^T H U for a handle basis U and a sparse symmetric matrix H over the vertices.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sinew/linalg/block_matrix.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// A has a 3x3 block row for each column of W, where U = W (x) I_3: row 4 i + k for monomial k of handle i.
//
// compute() makes one pass over H in chunks of consecutive vertices. For the rows of a chunk, T = H W uses H's upper
// triangle and half of its diagonal; W^T T is added to the sums of the chunk. Each chunk numbers the handle pairs that
// it touches. Chunks are added in order and the result is symmetrised, so it does not depend on the number of threads.
// Costs about 5 kflop and 1.5 kB for each vertex.
class GalerkinProduct {
 public:
  // `basis` and `rest` (3 x n) may be destroyed afterwards.
  GalerkinProduct(const HandleBasis& basis, const Points& rest);

  // A = U^T P H P U + base. base: null, or A of an earlier call. P is zero at coordinates with fixed[3 i + axis] != 0
  // (empty: none). There, rows and columns of H must be zero except for the diagonal (SymBlockMatrix::constrain). Zero
  // blocks of H cost almost nothing. A keeps its pattern object while it contains all handle pairs of H.
  void compute(const SymBlockMatrix& H, std::span<const char> fixed, SymBlockMatrix& A,
               const SymBlockMatrix* base = nullptr);

  // Forgets the handle pairs of earlier matrices, so that later factorisations of A do not depend on them, bit for bit.
  void reset() { pairs_.clear(); }

  std::size_t memory_bytes() const;

 private:
  using Pair = std::pair<Index, Index>;  // two handles, first <= second
  static constexpr int pair_size = 144;  // doubles for each pair: 4 blocks of 9 for each of the 4 row monomials

  struct Entry {
    Index row, column;   // handles
    std::size_t offset;  // index into sums
  };
  struct Chunk {
    std::vector<Entry> entries;  // in order of first use
    std::vector<double> sums;    // pair_size for each entry
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
  std::vector<std::int64_t> begin_;  // n + 1 entries
  std::vector<Index> handle_;
  std::vector<double> values_;  // 4 for each weight: phi (1, (X - c) / r)
  std::vector<Index> order_;    // vertices, chunk by chunk
  std::vector<Chunk> chunks_;
  std::vector<Pair> pairs_;                      // pairs in the pattern of A, sorted
  std::vector<std::int64_t> pair_begin_;         // by first handle: index into pairs_
  std::shared_ptr<const BlockPattern> pattern_;  // pattern of A
};

}  // namespace sinew
