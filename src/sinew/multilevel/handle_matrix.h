// Matrices over the 12 coordinates of each handle, four block rows a handle, whose columns may depend on each other.
#pragma once

#include "sinew/linalg/linear_solver.h"

namespace sinew {

// Columns of U that vanish at all free vertices leave rows that are empty or nothing but rounding, and their
// coordinates would be arbitrary. Adds 1e-16 of the largest diagonal entry of a handle to its diagonal, 1 if all are
// zero.
void fill_empty_rows(SymBlockMatrix& A);

// Factors A plus the smallest multiple of its diagonal, at least 1e-11, that makes this possible. False if 1e-11 does
// not suffice; `computed`: whether there is a factor.
bool factor_shifted(SymBlockMatrix& A, LinearSolver& solver, bool& computed);

}  // namespace sinew
