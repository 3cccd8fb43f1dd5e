// Takes some rows of a SymBlockMatrix, and the same columns, as a matrix.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Sets A to zero with the given pattern. If A already has an equal pattern, A keeps its pattern object, so that
// analyses of that object stay valid.
void keep_pattern(std::shared_ptr<const BlockPattern> pattern, SymBlockMatrix& A);

// C = rows and columns `rows` (ascending) of A. Parallel. If the pattern of C does not change, C keeps its pattern
// object.
void principal_submatrix(const SymBlockMatrix& A, std::span<const Index> rows, SymBlockMatrix& C);

}  // namespace sinew
