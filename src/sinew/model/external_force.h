// Forces that do not depend on where the bodies are.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// Total of gravity, accelerations and dead surface loads at `time` [N], 3 x dynamic_count; all without keyframes of
// their own are multiplied by `ramp`.
void external_force(const System& system, double time, double ramp, Points& force);

}  // namespace sinew
