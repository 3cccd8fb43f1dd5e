// U^T C U of a basis of handles and dense modes.
#pragma once

#include <span>

#include "sinew/linalg/block_matrix.h"
#include "sinew/subspace/mode_basis.h"

namespace sinew {

// A = U^T P C P U, four block rows for each block of U. P is zero at coordinates with fixed[3 v + axis] != 0. There
// dense columns must be zero, and rows and columns of C too, except for the diagonal. rest: 3 x n; transfer: that of
// `basis`. Deterministic for any number of threads.
void mode_product(const ModeBasis& basis, const Points& rest, ModeTransfer& transfer, const SymBlockMatrix& C,
                  std::span<const char> fixed, SymBlockMatrix& A);

}  // namespace sinew
