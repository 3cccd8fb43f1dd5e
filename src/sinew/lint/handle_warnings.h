// The advice of `sinew check` about handles, for the commands that make them.
#pragma once

#include <string>

#include "sinew/model/system.h"

namespace sinew {

// Warns of solver.handles that are too many for the vertices, or too few for them, where the method is multilevel and
// the scene gives a number. `solver` may be another than the system's; `who` begins the text.
void warn_of_handles(const System& system, const SolverSetup& solver, const std::string& who);

}  // namespace sinew
