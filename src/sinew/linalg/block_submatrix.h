// Some rows of a SymBlockMatrix with the columns of the same numbers.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Sets A to zero with the given pattern. If A has this pattern already, it keeps its object, so that what was analysed
// for it stays valid.
void keep_pattern(std::shared_ptr<const BlockPattern> pattern, SymBlockMatrix& A);

// C = the rows and columns `rows` of A, ascending. Parallel. If the pattern of C does not change, C keeps its object.
void principal_submatrix(const SymBlockMatrix& A, std::span<const Index> rows, SymBlockMatrix& C);

}  // namespace sinew
