// Sparse matrices as dense ones, for tests.
#pragma once

#include "sinew/linalg/block_matrix.h"

namespace sinew::test {

// Column by column, by products with unit vectors.
inline MatX dense_matrix(const SymBlockMatrix& A) {
  MatX out(3 * A.rows(), 3 * A.rows());
  VecX unit = VecX::Zero(3 * A.rows());
  for (Index k = 0; k < out.cols(); ++k) {
    unit[k] = 1;
    A.multiply(unit.data(), out.col(k).data());
    unit[k] = 0;
  }
  return out;
}

}  // namespace sinew::test
