// The fine level of a pair in multigrid: matrix, smoother and transfer to the coarser level, for eight columns.
#pragma once

#include "sinew/linalg/block_rows.h"

namespace sinew {

// Scaled to unit diagonal blocks. The smoother is Chebyshev's polynomial of the fourth kind, which needs only the
// largest eigenvalue (Lottes 2023, Optimal polynomial smoothers for multigrid V-cycles).
template <int N>
class MultigridLevel {
 public:
  BlockRows<float, N, N> A;
  BlockRows<float, N, 6> P;
  BlockRows<float, 6, N> PT;
  double largest = 0;  // eigenvalue of A

  void allocate();

  // Smooths A z = r from z = 0: `degree` steps. restricted = P^T (r - A z).
  void descend(int degree, const float* r, float* restricted);
  // Adds the correction P `coarse` to z, then smooths it with the same polynomial. z: result.
  void ascend(int degree, const float* coarse, float* z);

  // to = r - A z.
  void residual(const float* r, const float* z, float* to) const;

  StripVector<float> second_r, second_z;  // of a second visit
  StripVector<float> coarse_r, coarse_z;  // right-hand side and solution of the coarser level
  std::size_t memory_bytes() const;

 private:
  void step(int k, const float* r, float* z);

  StripVector<float> z_, r_, d_, next_;
};

}  // namespace sinew
