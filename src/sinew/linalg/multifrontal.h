// Numeric multifrontal Cholesky factorisation (Duff and Reid 1983; Liu 1992) and its triangular solves, parallel over
// the elimination tree and over the tiles of large fronts.
//
// A front is the dense matrix of a run of pivots and of the rows that they update. Its pivot columns (the panel) are
// factored in place in L; its update matrix goes to the parent. Dense work is cut into tiles of fixed sizes, each
// computed by one thread, and contributions of children are added in their order. Bits therefore do not depend on the
// number of threads.
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
  // Factors scale * A, of the pattern that `symbolic` was made from, with B x B values a block, column-major; `scale`
  // is a power of two. False when a pivot is not above floor_share times its diagonal entry of A: A is then not
  // positive definite to working precision. `symbolic` must outlive the solves.
  bool factor(const SymbolicFactor& symbolic, const BlockPattern& pattern, const double* values, double scale);

  // x = (scale A)^{-1} b, both of B x size entries in the matrix's own numbering, for `columns` of them one after
  // another; b and x may be the same. The factor is read once for all of them.
  void solve(const double* b, double* x, int columns = 1);

  // Frees all storage.
  void clear();

  std::size_t memory_bytes() const;

  // A panel within L: column-major, rows x width, of the front's local numbering in scalars. Entries above its diagonal
  // are undefined.
  struct Panel {
    double* data;
    int rows, width;
  };
  Panel panel(Index s) const;
  const SymbolicFactor* symbolic() const { return symbolic_; }

  // 16 units of rounding: a smaller remainder of a diagonal entry is the rounding of the terms subtracted from it.
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
  std::vector<double> floor_;                // B size: the least pivots
  std::vector<BufferPool::Buffer> updates_;  // a front each: update matrices on their way to the parents
  BufferPool pool_;
  std::vector<std::atomic<Index>> pending_;  // a front each: children to come
  std::atomic<bool> failed_ = false;
  std::vector<double> front_vector_;  // right-hand sides and solutions in each front's local numbering
  std::vector<std::int64_t> front_vector_begin_;
};

}  // namespace sinew
