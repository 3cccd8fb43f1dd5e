// GMRES without restarts, for small systems whose matrix is given only by its products (Saad and Schultz 1986).
#pragma once

#include <functional>

#include "sinew/core/types.h"

namespace sinew {

struct GmresOptions {
  double tolerance = 1e-3;  // relative residual |b - A x| / |b| of the preconditioned system
  int max_iterations = 0;   // 0: the size of the system, after which the solution is exact
};

struct GmresResult {
  VecX x;
  int iterations = 0;
  double relative_residual = 0;
  bool converged = false;
};

// Returns x with |P^-1 (b - A x)| <= tolerance |P^-1 b|. product: Av = A v. solve: v <- P^-1 v. Memory: size x
// iterations.
GmresResult gmres(const std::function<void(const VecX& v, VecX& Av)>& product,
                  const std::function<void(VecX& v)>& solve, const VecX& b, const GmresOptions& options = {});

}  // namespace sinew
