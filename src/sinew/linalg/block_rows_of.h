// A symmetric matrix with all its blocks by rows.
#pragma once

#include <span>

#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/block_rows.h"

namespace sinew {

// Without the couplings of coordinates with fixed[3 i + axis] != 0, whose diagonal entries stay.
BlockRows<double, 3, 3> block_rows_of(const SymBlockMatrix& A, std::span<const char> fixed);

}  // namespace sinew
