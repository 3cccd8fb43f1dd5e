// The lowest eigenpairs of large sparse symmetric matrices by shift-invert block Lanczos with thick restarts (Wu and
// Simon 2000). Memory is a small multiple of that of the wanted pairs.
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
  Index columns = 0;        // largest size of the basis; 0: lanczos_columns()
  double tolerance = 1e-8;  // residual of the inverse problem, relative to its eigenvalue
  Index restarts = 200;     // largest number of restarts
  // Called after each block with the number of pairs that had converged at the last restart. An exception ends the
  // search.
  std::function<void(Index converged)> after_block = {};
};

// The largest number of columns of n values in memory during a search for `count` pairs: basis, block and work. The
// returned vectors reuse the first `count` columns.
Index lanczos_columns(Index count);

// Returns x = (A + shift M)^{-1} b for b of size n x c, with c up to LanczosOptions::block.
using ShiftedSolve = std::function<MatX(const MatX& b)>;

// Finds the min(count, n) lowest eigenpairs of A x = lambda M x, n x n. A is symmetric, M = diag(mass) > 0, and A +
// shift M must be positive definite. If A is only positive semidefinite (free bodies), any shift > 0 works; one of the
// size of the wanted eigenvalues works best.
//
// Memory: n lanczos_columns(count) values besides what `solve` needs. Eigenvalues with a multiplicity up to the block
// size are found completely, of higher multiplicities perhaps not all. Results do not depend on the number of threads
// if those of `solve` do not. Throws SimulationError if pairs have not converged after the last restart.
Eigenpairs lowest_eigenpairs(const ShiftedSolve& solve, const VecX& mass, Index count, double shift,
                             const LanczosOptions& options = {});

// As above, with a Cholesky factorisation of A + shift M as `solve`; the lower triangle of A is read. Throws
// SimulationError if A + shift M is not positive definite to working precision.
Eigenpairs lowest_eigenpairs(const SparseMatrix& A, const VecX& mass, Index count, double shift,
                             const LanczosOptions& options = {});

}  // namespace sinew
