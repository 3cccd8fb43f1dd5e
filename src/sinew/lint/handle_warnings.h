// Gives the advice of `sinew check` about handles in the commands that make handles.
#pragma once

#include <string>

#include "sinew/model/system.h"

namespace sinew {

// Warns if solver.handles is too large or too small for the vertices, if the method is multilevel and the scene gives a
// number. solver: may differ from the system's. who: begins the text.
void warn_of_handles(const System& system, const SolverSetup& solver, const std::string& who);

}  // namespace sinew
