// The passive columns of an active set method, with the Cholesky factor of their Gram matrix.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class PassiveColumns {
 public:
  Index count() const { return count_; }
  auto columns() const { return P_.leftCols(count_); }

  // Appends those columns of norm 1 (m x k) that are linearly independent of the others to working precision. Returns a
  // flag for each column. O(m p k + p^2 k) for p columns.
  std::vector<char> append(const MatX& columns);

  // Removes each column i with gone[i]; the others keep their order. O(p^2 k) for k removed columns.
  void remove(const std::vector<char>& gone);

  // z = (P^T P)^{-1} P^T r.
  VecX least_squares(const VecX& r) const;

 private:
  void reserve(Index rows, Index count);

  Index count_ = 0;
  MatX P_;  // m x capacity
  MatX L_;  // capacity x capacity, lower: L L^T = P^T P
};

}  // namespace sinew
