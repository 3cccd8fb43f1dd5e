// The parts of a model in a subspace of dense modes that differ from those of handles.
#pragma once

#include "sinew/reduced/reduced_model.h"

namespace sinew {

// Sets kinematics, gradients and energies of a model that has basis and points.
void add_modes(const System& system, double time, ReducedModel& model);

}  // namespace sinew
