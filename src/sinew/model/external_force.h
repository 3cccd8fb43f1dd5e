// Forces that do not depend on the positions of the bodies.
#pragma once

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

// Acceleration by gravity and by the body's own keyframes at `time` [m/s^2]; a part without keyframes is multiplied by
// `ramp`.
Vec3 acceleration(const System& system, const SystemBody& body, double time, double ramp);

// Share of each vertex with equations in the area of the faces [m^2]. Corners that follow others pass theirs on.
VecX vertex_areas(const System& system, const FaceLoad& load);

// Total of gravity, accelerations and dead surface loads at `time` [N], 3 x dynamic_count; all without keyframes of
// their own are multiplied by `ramp`.
void external_force(const System& system, double time, double ramp, Points& force);

// The total at the end of a step, added to its predictor as scale M^-1 f; in statics its dead force.
void add_external_force(const System& system, StepContext& context);

}  // namespace sinew
