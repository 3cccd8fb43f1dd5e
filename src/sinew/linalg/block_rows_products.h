// Products and transposes of BlockRows, for the Galerkin matrices of multigrid.
#pragma once

#include "sinew/linalg/block_rows.h"

namespace sinew {

// A^T.
template <class T, int R, int C>
BlockRows<T, C, R> transposed(const BlockRows<T, R, C>& A);

// A B. A row sums its terms in the order of A's blocks, so results do not depend on the number of threads.
template <int R, int K, int C>
BlockRows<double, R, C> product(const BlockRows<double, R, K>& A, const BlockRows<double, K, C>& B);

}  // namespace sinew
