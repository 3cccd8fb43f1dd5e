// Solves with the mass matrix of tied vertices, P^T M P (model/tie.h), which is not diagonal.
#pragma once

#include <vector>

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

// Returns the vertices that tied vertices follow, ascending.
std::vector<Index> followed_by(const Embedding& ties);

// Sets out = (P^T M P)^-1 f at the free coordinates of followed vertices, and at tied vertices by interpolation. f must
// be zero at tied vertices. At other vertices the matrix is diagonal, and `out` stays unchanged.
void divide_by_tied_mass(const System& system, const StepContext& context, const Points& f, Points& out);

}  // namespace sinew
