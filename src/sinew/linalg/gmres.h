// GMRES without restarts, for small systems that are only known by their products (Saad and Schultz 1986).
#pragma once

#include <functional>

#include "sinew/core/types.h"

namespace sinew {

struct GmresOptions {
  double tolerance = 1e-3;  // of |b - A x| / |b|, of the preconditioned system
  int max_iterations = 0;   // 0: the size of the system, after which it is exact
};

struct GmresResult {
  VecX x;
  int iterations = 0;
  double relative_residual = 0;
  bool converged = false;
};

// x with |P^-1 (b - A x)| <= tolerance |P^-1 b|. product: A v; solve: P^-1 v. Memory: size x iterations.
GmresResult gmres(const std::function<void(const VecX& v, VecX& Av)>& product,
                  const std::function<void(VecX& v)>& solve, const VecX& b, const GmresOptions& options = {});

}  // namespace sinew
