// The structure of a multifrontal Cholesky factorisation: elimination tree, fronts and their rows. It is stored over
// the blocks of the matrix, so 3x3 blocks need 9 times fewer entries than scalars.
#pragma once

#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Notation: a position is the index of a block row in elimination order. Front s eliminates the positions
// [column_begin[s], column_begin[s + 1]), its pivots. It updates the later positions rows[row_begin[s] ... row_begin[s
// + 1]). Its local numbering has the pivots first, then these rows. Fronts are in postorder: a subtree is a range that
// ends with its root.
struct SymbolicFactor {
  int block = 3;                          // rows of a block
  Index size = 0;                         // block rows of the matrix
  std::vector<Index> order;               // position -> block row of the matrix
  std::vector<Index> column_begin;        // fronts + 1 entries
  std::vector<std::int64_t> row_begin;    // fronts + 1 entries
  std::vector<Index> rows;                // row_begin[fronts] entries, ascending in each front
  std::vector<Index> parent_local;        // by entry of `rows`: its local number in the parent front
  std::vector<Index> parent;              // by front; -1: root
  std::vector<Index> child_begin;         // fronts + 1 entries, into children
  std::vector<Index> children;            // ascending for each front
  std::vector<std::int64_t> panel_begin;  // fronts + 1 entries: offset of the front's columns in L [doubles]

  // Entries of A by the position of their column, and their place within the front.
  std::vector<std::int64_t> entry_begin;  // size + 1 entries
  std::vector<std::int64_t> entry_slot;   // slot in the pattern
  std::vector<Index> entry_local;         // 2 x local row, + 1 if the block is transposed

  // Tasks of the parallel factorisation. Task t has the fronts [task_first[t], task_last[t]] of whole small subtrees.
  // The other fronts (is_top) are done after their children.
  std::vector<Index> task_first, task_last;
  std::vector<char> is_top;  // by front

  double flops = 0;             // flops of the numeric factorisation, including padding zeros
  std::int64_t factor_nnz = 0;  // entries in the lower triangle of L, including padding zeros

  Index front_count() const { return static_cast<Index>(parent.size()); }
  Index pivots(Index s) const { return column_begin[s + 1] - column_begin[s]; }
  Index updates(Index s) const { return static_cast<Index>(row_begin[s + 1] - row_begin[s]); }
  std::size_t memory_bytes() const;
};

// Computes the structure. order: a permutation of the block rows, which is refined to a postorder of the elimination
// tree with the same fill. block: rows of a block, 3 or 1.
SymbolicFactor analyze(const BlockPattern& pattern, const std::vector<Index>& order, int block = 3);

// Returns the flops of a factorisation in this order, without padding zeros.
double predict_flops(const BlockPattern& pattern, const std::vector<Index>& order);

}  // namespace sinew
