// How follower pressure on patches with a border changes as its faces move (theory, section 11).
#pragma once

#include "sinew/linalg/block_matrix.h"
#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

// PressureEnergy lags what the pressure on an open patch adds at its border. H += the symmetric part of the stiffness
// of this part at x, for the loads of the context. The pattern of H must contain the pairs of nodes of each face.
// Patches whose vertices follow others are left out.
void add_border_stiffness(const System& system, const StepContext& context, const Points& x, SymBlockMatrix& H);

}  // namespace sinew
