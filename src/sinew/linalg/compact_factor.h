// A Cholesky factor for preconditioners that are applied many times: single-precision entries, double-precision sums.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "sinew/linalg/multifrontal.h"

namespace sinew {

// Solves with L', the factor L rounded to single precision, which takes half the bytes. L' L'^T is symmetric and
// positive definite whatever the rounding. A mode of eigenvalue lambda changes by a share of only 1e-7 sqrt(largest /
// lambda). B: rows of a block of the matrix, 3 or 1.
//
// A copy shares L' and has work space of its own, so that both may solve at once.
template <int B>
class CompactFactor {
 public:
  CompactFactor() = default;
  CompactFactor(const CompactFactor& other) : data_(other.data_), pending_(other.pending_.size()) {}
  CompactFactor& operator=(const CompactFactor& other) {
    data_ = other.data_;
    pending_ = std::vector<std::atomic<Index>>(other.pending_.size());
    return *this;
  }
  CompactFactor(CompactFactor&&) noexcept = default;
  CompactFactor& operator=(CompactFactor&&) noexcept = default;

  // Stores `factor` rounded; `factor` may be factored again afterwards. Its SymbolicFactor must outlive the solves.
  void round(const MultifrontalFactor<B>& factor);

  // x = (L' L'^T)^{-1} b with B x size entries in the matrix's own numbering; b and x may be the same array. The result
  // does not depend on the number of threads.
  void solve(const double* b, double* x) { solve_columns<1>(b, x); }
  // Solves for three right-hand sides, interleaved row by row; L' is read once for all three.
  void solve3(const double* b, double* x) { solve_columns<3>(b, x); }

  std::size_t memory_bytes() const;

 private:
  // The columns of a front are stored in groups of 8: a lower triangle with inverse pivots, then the rows below, by
  // columns. The rows of a front are padded with zeros to a multiple of 8.
  struct Data {
    const SymbolicFactor* symbolic = nullptr;
    std::vector<std::int64_t> begin;         // fronts + 1, into values
    std::vector<std::int64_t> vector_begin;  // fronts + 1: rows of vector_
    std::vector<float, HugePageAllocator<float>> values;
    std::vector<Index> task;  // by front: the task that ends with it; -1: none
    std::vector<Index> roots;
  };
  static void round_front(const MultifrontalFactor<B>& factor, Index s, Data& data);
  template <int columns>
  void solve_columns(const double* b, double* x);
  template <int columns>
  void forward(Index s, const double* b);
  template <int columns>
  void backward(Index s, double* x);
  template <int columns>
  void climb(Index s, const double* b);

  std::shared_ptr<Data> data_;
  // Right-hand sides and solutions by front, one column after another.
  std::vector<double, HugePageAllocator<double>> vector_;
  std::vector<std::atomic<Index>> pending_;  // by front: children that are not done yet
};

}  // namespace sinew
