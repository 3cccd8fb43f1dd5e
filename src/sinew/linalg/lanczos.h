// The lowest eigenpairs of large sparse symmetric matrices by the shifted and inverted block Lanczos method.
#pragma once

#include "sinew/linalg/scalar_cholesky.h"

namespace sinew {

struct Eigenpairs {
  VecX values;   // k, ascending
  MatX vectors;  // n x k, orthonormal in the mass
};

// The min(count, n) lowest eigenpairs of A x = lambda M x: A positive semi-definite, its lower triangle read; M =
// diag(mass) > 0; shift > 0 of the size of the eigenvalues wanted. Residuals of 1e-8, relative. Eigenvalues of
// multiplicity up to 8 are found in full, of higher ones perhaps a part. Deterministic. Throws SimulationError when
// A + shift M is not positive definite to working precision.
Eigenpairs lowest_eigenpairs(const SparseMatrix& A, const VecX& mass, Index count, double shift);

}  // namespace sinew
