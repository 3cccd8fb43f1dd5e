// The forces of a rotating frame that depend on the history of the motion: Coriolis and Euler forces (theory, section
// 2). The centrifugal force is a term of the potential (potential/spin_energy.h).
#pragma once

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

// Adds them to the predictor of the bodies' vertices:
//   x~ += A s + P l - scale spin_up A (X - c),   A = [a]x, P = I - a a^T,
// with s = spin_across, l = spin_along. displacements: whether these are of displacements; else of positions, and X is
// left out. Does nothing without a spin.
void add_spin_to_predictor(const System& system, bool displacements, StepContext& context);

}  // namespace sinew
