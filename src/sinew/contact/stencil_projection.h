// Positive semidefinite projections of stencil Hessians on the few dimensions where they act.
#pragma once

#include "sinew/contact/distance_derivatives.h"

namespace sinew {

// Sets H to the positive part of b2 grad d2 grad d2^T + b1 hess d2 with b1 = db/d(d2) <= 0, b2 = d2b/d(d2)^2. The
// eigenproblem has size 1, 3 or 5 (see stencil_energy.h). The distance must be positive.
void projected_barrier_hessian(const ClosestPair& pair, const PairFrame& frame, double b1, double b2, Mat12& H);

// Replaces a symmetric H whose null space holds the three translations of all four vertices by its positive part, by an
// eigenproblem of size 9.
void project_translation_free(Mat12& H);

}  // namespace sinew
