// Computes forces that do not depend on the positions of the bodies.
#pragma once

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

// Acceleration by gravity and by the body's own keyframes at `time` [m/s^2]. The part without keyframes is multiplied
// by `ramp`.
Vec3 acceleration(const System& system, const SystemBody& body, double time, double ramp);

// The share of the shape at the start in the shape that a body has without stress (System::interference_steps). It
// fades linearly from 1 to 0 over the first steps of the run.
double interference_factor(const System& system, Index body, double time);

// Returns the area of the load's faces that belongs to each vertex with equations [m^2]. Corners that follow other
// vertices pass their share on to those.
VecX vertex_areas(const System& system, const FaceLoad& load);

// Sets `force` (3 x dynamic_count [N]) to the sum of gravity, accelerations and dead surface loads at `time`. Loads
// without keyframes, and gravity, are multiplied by `ramp`.
void external_force(const System& system, double time, double ramp, Points& force);

// Adds this force at the end of a step to the step's predictor as scale M^-1 f; in statics to its dead force.
void add_external_force(const System& system, StepContext& context);

}  // namespace sinew
