// The lowest eigenpairs of large sparse symmetric matrices by shift-invert block Lanczos with thick restarts (Wu and
// Simon 2000). Memory is a small multiple of the wanted pairs.
#pragma once

#include <functional>

#include "sinew/linalg/scalar_cholesky.h"

namespace sinew {

struct Eigenpairs {
  VecX values;   // k, ascending
  MatX vectors;  // n x k, orthonormal in the mass
};

struct LanczosOptions {
  Index block = 8;          // vectors that grow the basis together
  Index columns = 0;        // the basis at its largest; 0: lanczos_columns()
  double tolerance = 1e-8;  // of the residual of the inverse, relative to its eigenvalue
  Index restarts = 200;     // the most
  // Called after each block with the pairs that had converged at the last restart. An exception ends the search.
  std::function<void(Index converged)> after_block = {};
};

// The columns of n values that a search for `count` pairs holds at once: basis, block and work. The returned vectors
// are the first `count` of them.
Index lanczos_columns(Index count);

// x = (A + shift M)^{-1} b for b of n x c, c up to LanczosOptions::block.
using ShiftedSolve = std::function<MatX(const MatX& b)>;

// The min(count, n) lowest eigenpairs of A x = lambda M x, n x n: A symmetric, M = diag(mass) > 0, A + shift M positive
// definite. With A positive semi-definite (free bodies) any shift > 0 will do; one of the size of the eigenvalues
// wanted is best. Holds n lanczos_columns(count) values beyond what `solve` needs. Eigenvalues of multiplicity up to
// the block are found in full, of higher ones perhaps a part. Bits do not depend on the number of threads if those of
// `solve` do not. Throws SimulationError when pairs have not converged after the last restart.
Eigenpairs lowest_eigenpairs(const ShiftedSolve& solve, const VecX& mass, Index count, double shift,
                             const LanczosOptions& options = {});

// As above, with a Cholesky factorisation of A + shift M as `solve`; the lower triangle of A is read. Throws
// SimulationError when A + shift M is not positive definite to working precision.
Eigenpairs lowest_eigenpairs(const SparseMatrix& A, const VecX& mass, Index count, double shift,
                             const LanczosOptions& options = {});

}  // namespace sinew
