// Computes U^T C U for a basis U of handles and dense modes.
#pragma once

#include <span>

#include "sinew/linalg/block_matrix.h"
#include "sinew/subspace/mode_basis.h"

namespace sinew {

// A = U^T P C P U, four block rows for each block of U. P is zero at coordinates with fixed[3 v + axis] != 0. There,
// dense columns of U must be zero, and rows and columns of C must be zero except for the diagonal. rest: 3 x n.
// transfer: that of `basis`. Deterministic for any number of threads.
void mode_product(const ModeBasis& basis, const Points& rest, ModeTransfer& transfer, const SymBlockMatrix& C,
                  std::span<const char> fixed, SymBlockMatrix& A);

}  // namespace sinew
