// A step of a condensed simulation in full space.
#pragma once

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"
#include "sinew/reduced/position_space.h"

namespace sinew {

// The rest of `context`, whose start and reference are positions (3 x n_all) and whose predictor (3 x dynamic_count) is
// without external forces.
void fill_context(const System& system, const SpaceStep& step, StepContext& context);

}  // namespace sinew
