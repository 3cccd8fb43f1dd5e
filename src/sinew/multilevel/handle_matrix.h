// Matrices over the 12 coordinates of each handle, four block rows a handle, whose columns may depend on each other.
#pragma once

#include "sinew/linalg/linear_solver.h"

namespace sinew {

// Columns of U that vanish at all free vertices leave rows that are empty or nothing but rounding, and their
// coordinates would be arbitrary. Adds 1e-16 of the largest diagonal entry of a handle to its diagonal, 1 where all are
// zero.
void fill_empty_rows(SymBlockMatrix& A);

// Factors A, with as small a multiple of its diagonal added as that needs, at least 1e-11. False where the least does
// not suffice; `computed` is whether there is a factor at all.
bool factor_shifted(SymBlockMatrix& A, LinearSolver& solver, bool& computed);

}  // namespace sinew
