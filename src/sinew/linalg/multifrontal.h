// Numeric multifrontal Cholesky factorisation (Duff and Reid 1983; Liu 1992) and its triangular solves, parallel over
// the elimination tree and over the tiles of large fronts.
//
// A front is the dense matrix of a run of pivots and of the rows that they update. Its pivot columns (the panel) are
// factored in place in L; its update matrix goes to the parent front. Dense work is divided into tiles of fixed sizes,
// each computed by one thread, and contributions of children are added in a fixed order. Results therefore do not
// depend on the number of threads.
#pragma once

#include <atomic>
#include <vector>

#include "sinew/linalg/buffer_pool.h"
#include "sinew/linalg/symbolic_factor.h"

namespace sinew {

namespace kernel {
class PackedPanel;
}

// B: rows of a block of the matrix, 3 or 1.
template <int B>
class MultifrontalFactor {
 public:
  // Factors scale * A, where A has the pattern from which `symbolic` was made and B x B values for each block,
  // column-major. `scale` must be a power of two. Returns false if a pivot is not above floor_share times its diagonal
  // entry: A is then not positive definite to working precision. `symbolic` must outlive the solves.
  bool factor(const SymbolicFactor& symbolic, const BlockPattern& pattern, const double* values, double scale);

  // x = (scale A)^{-1} b for `columns` right-hand sides, one after another, each of B x size entries in the matrix's
  // own numbering. b and x may be the same array. The factor is read once for all columns.
  void solve(const double* b, double* x, int columns = 1);

  // Frees all storage.
  void clear();

  std::size_t memory_bytes() const;

  // A panel within L: column-major, rows x width, in the front's local numbering of scalars. Entries above its diagonal
  // are undefined.
  struct Panel {
    double* data;
    int rows, width;
  };
  Panel panel(Index s) const;
  const SymbolicFactor* symbolic() const { return symbolic_; }

  // 16 units of rounding. If less of a diagonal entry remains, the remainder is only rounding of the subtracted terms.
  static constexpr double floor_share = 16 * 2.220446049250313e-16;

 private:
  void start(const BlockPattern& pattern);
  template <class Front>
  void for_each_front_upward(Front&& front);

  bool factor_front(Index s);
  void assemble_panel(Index s, const Panel& L, Index first, Index last);
  void add_entries(Index s, const Panel& L, Index column);
  void add_child_to_panel(Index s, Index child, const Panel& L, Index first, Index last);
  bool factor_panel(Index s, kernel::PackedPanel& panel, bool parallel);
  void form_update(Index s, const kernel::PackedPanel& panel, int size, bool parallel);
  void form_tile(Index s, const kernel::PackedPanel& panel, int size, Index I, Index J);
  void add_child_to_tile(Index s, Index child, Index I, Index J, double* tile, int ld);

  double* front_vectors(Index s, int columns) { return front_vector_.data() + columns * front_vector_begin_[s]; }
  void forward_front(Index s, const double* b, int columns);
  void backward_front(Index s, double* x, int columns);

  const SymbolicFactor* symbolic_ = nullptr;
  const double* values_ = nullptr;
  double scale_ = 1;
  HugeArray L_;                              // panels one after another
  std::size_t capacity_ = 0;                 // doubles in L_
  std::vector<double> floor_;                // B size: smallest allowed pivots
  std::vector<BufferPool::Buffer> updates_;  // by front: update matrix until its parent has added it
  BufferPool pool_;
  std::vector<std::atomic<Index>> pending_;  // by front: children that are not done yet
  std::atomic<bool> failed_ = false;
  std::vector<double> front_vector_;  // right-hand sides and solutions in each front's local numbering
  std::vector<std::int64_t> front_vector_begin_;
};

}  // namespace sinew
