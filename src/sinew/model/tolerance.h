// The tolerance of steps, when the setup leaves it to the size of the scene.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// solver.tolerance, or for 0 ("auto") the one that suits the system's size and integrator [m/s], in statics [m]. That
// of a System is resolved already; a solver that replaces its own may not be.
double resolved_tolerance(const SolverSetup& solver, const System& system);

}  // namespace sinew
