// A Cholesky factor for preconditioners that are applied many times: single-precision entries, double-precision sums.
#pragma once

#include <atomic>
#include <vector>

#include "sinew/linalg/multifrontal.h"

namespace sinew {

// Solves with L', the factor L rounded to single precision, which takes half the bytes. L' L'^T is symmetric and
// positive definite whatever the rounding. A mode of eigenvalue lambda changes by a share of only 1e-7 sqrt(largest /
// lambda). B: rows of a block of the matrix, 3 or 1.
template <int B>
class CompactFactor {
 public:
  // Stores `factor` rounded; `factor` may be factored again afterwards. Its SymbolicFactor must outlive the solves.
  void round(const MultifrontalFactor<B>& factor);

  // x = (L' L'^T)^{-1} b with B x size entries in the matrix's own numbering; b and x may be the same array. The result
  // does not depend on the number of threads.
  void solve(const double* b, double* x) { solve_columns<1>(b, x); }
  // Solves for three right-hand sides, interleaved row by row; L' is read once for all three.
  void solve3(const double* b, double* x) { solve_columns<3>(b, x); }

  std::size_t memory_bytes() const;

 private:
  void round_front(const MultifrontalFactor<B>& factor, Index s);
  template <int columns>
  void solve_columns(const double* b, double* x);
  template <int columns>
  void forward(Index s, const double* b);
  template <int columns>
  void backward(Index s, double* x);
  template <int columns>
  void climb(Index s, const double* b);

  // The columns of a front are stored in groups of 8: a lower triangle with inverse pivots, then the rows below, by
  // columns. The rows of a front are padded with zeros to a multiple of 8.
  const SymbolicFactor* symbolic_ = nullptr;
  std::vector<std::int64_t> begin_;         // fronts + 1, into values_
  std::vector<std::int64_t> vector_begin_;  // fronts + 1: rows of vector_
  std::vector<float, HugePageAllocator<float>> values_;
  // Right-hand sides and solutions by front, one column after another.
  std::vector<double, HugePageAllocator<double>> vector_;
  std::vector<std::atomic<Index>> pending_;  // by front: children that are not done yet
  std::vector<Index> task_;                  // by front: the task that ends with it; -1: none
  std::vector<Index> roots_;
};

}  // namespace sinew
