// Conjugate gradients for small systems whose matrix is given only by its products (Hestenes and Stiefel 1952).
#pragma once

#include <functional>

#include "sinew/core/types.h"

namespace sinew {

struct CgOptions {
  double tolerance = 1e-3;  // bound on the root of r^T P^-1 r over that of b^T P^-1 b
  int max_iterations = 0;   // 0: the size of the system
};

enum class CgEnd { converged, negative_curvature, iterations, breakdown };

struct CgResult {
  VecX x;
  int iterations = 0;
  double relative_residual = 0;
  CgEnd end = CgEnd::converged;
};

// Returns x with r = b - A x. product: Av = A v. solve: v <- P^-1 v, with P symmetric positive definite. A should be
// symmetric: otherwise the iteration may stall. If p^T A p <= 0, ends with the x before p. Memory: five vectors.
CgResult cg(const std::function<void(const VecX& v, VecX& Av)>& product, const std::function<void(VecX& v)>& solve,
            const VecX& b, const CgOptions& options = {});

}  // namespace sinew
