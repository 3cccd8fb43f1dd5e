// The settings of the minimisation of a step, as a scene gives them.
#pragma once

#include <optional>

#include "sinew/solver/minimizer.h"

namespace sinew {

// budget: the limit of iterations of methods that have one; 0: none.
MinimizerSettings step_settings(const System& system, std::optional<int> budget = {});

}  // namespace sinew
