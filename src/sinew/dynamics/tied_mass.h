// The mass matrix where vertices are tied: P^T M P (model/tie.h), which is not diagonal.
#pragma once

#include <vector>

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

// The vertices that tied ones follow, ascending.
std::vector<Index> followed_by(const Embedding& ties);

// out = (P^T M P)^-1 f at the free coordinates of what is followed, and what follows from it at tied vertices; f is
// zero at these. Elsewhere the matrix is diagonal, and out stays.
void divide_by_tied_mass(const System& system, const StepContext& context, const Points& f, Points& out);

}  // namespace sinew
