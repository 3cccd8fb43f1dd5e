// 1/2 |x - x~|_M^2 with lumped masses, and the linear term of dead loads in statics.
#pragma once

#include <span>

#include "sinew/core/types.h"
#include "sinew/linalg/block_matrix.h"

namespace sinew {

double inertia_value(std::span<const double> mass, const Points& x, const Points& predictor);
void add_inertia_gradient(std::span<const double> mass, const Points& x, const Points& predictor, Points& g);
void add_inertia_hessian(std::span<const double> mass, SymBlockMatrix& H);

// -f . x and its gradient.
double dead_load_value(const Points& force, const Points& x);
void add_dead_load_gradient(const Points& force, double scale, Points& g);

}  // namespace sinew
