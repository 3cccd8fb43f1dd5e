// Targets and added forces (model/control.h) as part of a state, and where the time or the time step is set.
#pragma once

#include <vector>

#include "sinew/model/control.h"
#include "sinew/model/edit.h"
#include "sinew/model/system.h"

namespace sinew {

// The present targets, and the added forces if they are still to act.
Edits control_of(const System& system, bool forces_wait);

// The edits after which control_of() is `wanted`; empty if it is so already.
std::vector<Edit> edits_to_control(const System& system, bool forces_wait, const Edits& wanted);

// The edits after which targets and added forces of the step `before` are those of the step `after`. Targets that are
// still to be reached are then reached at its end, and velocities stay.
std::vector<Edit> control_moved(const System& system, bool forces_wait, const StepSpan& before, const StepSpan& after);

}  // namespace sinew
