// Minimisers of the stiffness-weighted biharmonic energy with prescribed values: the scalar functions that handle
// weights are made of (SMS, eq. 8).
#pragma once

#include <vector>

#include "sinew/linalg/scalar_cholesky.h"

namespace sinew {

// How a function was found: as asked, or what took its place where rounding left no positive definite matrix.
enum class BiharmonicQuality { exact, shifted, unconverged, failed };

struct BiharmonicSolution {
  VecX u;  // n
  BiharmonicQuality quality = BiharmonicQuality::exact;
  int iterations = 0;
};

// Of the residual against the right-hand side: as far as rounding lets u be known.
inline constexpr double rounding_tolerance = 1e-10;

// min 1/2 u^T L M^{-1} L u with u = values where prescribed. L: n x n Laplacian, lower triangle; mass: n, > 0;
// some vertex of each connected component of L must be prescribed. In exact arithmetic the solution of K u = 0 with
// K = L M^{-1} L in the rows of the others, but K, whose condition is that of L squared, is never formed: see the
// source. On failure (quality `failed`) u is `values`.
BiharmonicSolution solve_biharmonic(const SparseMatrix& L, const VecX& mass, const std::vector<char>& prescribed,
                                    const VecX& values, double tolerance = rounding_tolerance);

}  // namespace sinew
