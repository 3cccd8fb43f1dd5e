// Some rows of a SymBlockMatrix with the columns of the same numbers.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// A gets the pattern, all zero, and keeps the object that it has where that is the same: what was analysed for it
// holds.
void keep_pattern(std::shared_ptr<const BlockPattern> pattern, SymBlockMatrix& A);

// C = the rows and columns `rows` of A, ascending. Parallel. The pattern of C stays the same object where it is the
// same.
void principal_submatrix(const SymBlockMatrix& A, std::span<const Index> rows, SymBlockMatrix& C);

}  // namespace sinew
