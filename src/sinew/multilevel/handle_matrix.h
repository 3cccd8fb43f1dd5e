// Matrices over the 12 coordinates of each handle, four block rows for each handle. Columns of the basis may be
// linearly dependent.
#pragma once

#include "sinew/linalg/linear_solver.h"

namespace sinew {

// Makes coordinates of empty columns definite. Columns of U that vanish at all free vertices give rows that are empty
// or only rounding. Adds 1e-16 of the largest diagonal entry of a handle to the handle's diagonal, or 1 if all are
// zero.
void fill_empty_rows(SymBlockMatrix& A);

// Factors A plus the smallest multiple of its diagonal, at least 1e-11, that makes the factorisation possible. Returns
// false if the multiple 1e-11 was not enough. computed: whether there is a factor.
bool factor_shifted(SymBlockMatrix& A, LinearSolver& solver, bool& computed);

}  // namespace sinew
