// Orthonormal bases of the span of many columns, to a tolerance.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class OrthonormalSpan {
 public:
  // Columns of n rows; at most `most` of them are kept.
  OrthonormalSpan(Index rows, Index most);

  // Extends the span until what it lacks of each column of C has a norm of at most `tolerance`, largest first
  // (Gram-Schmidt by blocks, twice). C is used up. False when `most` columns do not suffice.
  bool add(MatX& C, double tolerance);

  Index count() const { return count_; }
  auto columns() const { return Q_.leftCols(count_); }

 private:
  Index add_block(const MatX& C, const std::vector<Index>& chosen, double least);

  MatX Q_;
  Index count_ = 0, most_ = 0;
};

}  // namespace sinew
