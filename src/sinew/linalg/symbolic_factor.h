// The structure of a multifrontal Cholesky factorisation: elimination tree, fronts and their rows. All of it is over
// the blocks of the matrix, of 3x3 9 times fewer entries than over scalars.
#pragma once

#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Notation: positions are block rows in the order of elimination. A front s eliminates the positions
// [column_begin[s], column_begin[s + 1]) (its pivots) and updates the positions rows[row_begin[s] ... row_begin[s + 1])
// beyond them. Its local numbering is pivots first, then rows. Fronts are in postorder: a subtree is a range that ends
// with its root.
struct SymbolicFactor {
  int block = 3;                          // rows of a block
  Index size = 0;                         // block rows of the matrix
  std::vector<Index> order;               // position -> block row of the matrix
  std::vector<Index> column_begin;        // fronts + 1
  std::vector<std::int64_t> row_begin;    // fronts + 1
  std::vector<Index> rows;                // row_begin[fronts], ascending in a front
  std::vector<Index> parent_local;        // for each of `rows`: its local number in the parent's front
  std::vector<Index> parent;              // fronts, -1 for a root
  std::vector<Index> child_begin;         // fronts + 1, into children
  std::vector<Index> children;            // ascending in a front
  std::vector<std::int64_t> panel_begin;  // fronts + 1: offset of the front's columns of L, in doubles

  // Entries of A by the position of their column: where a block goes within its front.
  std::vector<std::int64_t> entry_begin;  // size + 1
  std::vector<std::int64_t> entry_slot;   // slot in the pattern
  std::vector<Index> entry_local;         // 2 x local row + (1 when the block goes in transposed)

  // Units of work for the tree's parallelism: fronts [task_first, task_last] of whole small subtrees; the other fronts
  // (is_top) come after their children.
  std::vector<Index> task_first, task_last;
  std::vector<char> is_top;  // fronts

  double flops = 0;             // of the numeric factorisation, added zeros included
  std::int64_t factor_nnz = 0;  // entries of L's lower triangle, added zeros included

  Index front_count() const { return static_cast<Index>(parent.size()); }
  Index pivots(Index s) const { return column_begin[s + 1] - column_begin[s]; }
  Index updates(Index s) const { return static_cast<Index>(row_begin[s + 1] - row_begin[s]); }
  std::size_t memory_bytes() const;
};

// order: a permutation of the block rows; it is refined to a postorder of the elimination tree with the same fill.
// block: rows of a block, 3 or 1.
SymbolicFactor analyze(const BlockPattern& pattern, const std::vector<Index>& order, int block = 3);

// Flops of a factorisation in this order, without added zeros.
double predict_flops(const BlockPattern& pattern, const std::vector<Index>& order);

}  // namespace sinew
