// Minimises the stiffness-weighted biharmonic energy with prescribed values: the scalar functions behind handle weights
// (SMS, eq. 8).
#pragma once

#include <vector>

#include "sinew/linalg/scalar_cholesky.h"

namespace sinew {

// How a function was found: exactly, or by a fallback if rounding left no positive definite matrix.
enum class BiharmonicQuality { exact, shifted, unconverged, failed };

struct BiharmonicSolution {
  VecX u;  // n values
  BiharmonicQuality quality = BiharmonicQuality::exact;
  int iterations = 0;
};

// Relative residual below which rounding limits the accuracy of u.
inline constexpr double rounding_tolerance = 1e-10;

// Minimises 1/2 u^T L M^{-1} L u with u = values where prescribed. L: n x n Laplacian, lower triangle. mass: n, > 0.
// Each connected component of L needs a prescribed vertex. In exact arithmetic this solves K u = 0 with K = L M^{-1} L
// in the free rows. K is never formed, because its condition number is the square of L's (see the source). On failure
// (quality `failed`) u is `values`.
BiharmonicSolution solve_biharmonic(const SparseMatrix& L, const VecX& mass, const std::vector<char>& prescribed,
                                    const VecX& values, double tolerance = rounding_tolerance);

}  // namespace sinew
