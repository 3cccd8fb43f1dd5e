// The largest eigenvalues of symmetric pencils A x = theta B x by block Lanczos iteration in the inner product of B,
// with thick restarts (Wu and Simon 2000).
#pragma once

#include <functional>

#include "sinew/linalg/lanczos.h"

namespace sinew {

// A symmetric pencil by its products with blocks of vectors. B is positive definite on the range of solve_b(), to which
// eigenvectors belong: coordinates that solve_b() returns as zero are left out.
struct Pencil {
  Index rows = 0;
  std::function<MatX(const MatX&)> multiply_a, multiply_b, solve_b;
};

struct PencilOptions {
  Index block = 8;          // vectors that grow the basis together
  double tolerance = 1e-7;  // residual in the norm of B, relative to the eigenvalue, whose error is its square ...
  double floor = 0;         // ... or to this share of the largest magnitude of an eigenvalue, if that is larger
  Index restarts = 200;     // largest number of restarts
  // Called after each block with the number of pairs that had converged at the last restart. An exception ends the
  // search.
  std::function<void(Index converged)> after_block = {};
};

// Returns the `count` algebraically largest pairs, or all if there are fewer; values are descending, and vectors
// orthonormal in B. Deterministic for any number of threads if the pencil's products are. Throws SimulationError if
// pairs have not converged after the last restart.
Eigenpairs largest_pencil_pairs(const Pencil& pencil, Index count, const PencilOptions& options = {});

}  // namespace sinew
