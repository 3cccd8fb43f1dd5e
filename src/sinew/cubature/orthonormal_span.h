// Computes an orthonormal basis of the span of many columns, to a tolerance.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class OrthonormalSpan {
 public:
  // Keeps at most `most` columns.
  OrthonormalSpan(Index rows, Index most);

  // Extends the span until the residual of each column of C is at most `tolerance`, the largest residual first (block
  // Gram-Schmidt, twice). Overwrites C. Returns false if `most` columns are not enough.
  bool add(MatX& C, double tolerance);

  Index count() const { return count_; }
  auto columns() const { return Q_.leftCols(count_); }

 private:
  Index add_block(const MatX& C, const std::vector<Index>& chosen, double least);

  MatX Q_;
  Index count_ = 0, most_ = 0;
};

}  // namespace sinew
