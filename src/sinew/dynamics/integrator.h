// Prepares and ends steps of the time integrators: predictor, scale and velocity (theory, section 2).
#pragma once

#include "sinew/contact/kinematics.h"
#include "sinew/model/state.h"
#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

// Fills `context` for the step from `state` to state.time + h: predictor, reference, targets, dead loads.
void prepare_step(const System& system, const State& state, StepContext& context);
// Fills `context` for a part of a step that ends at time `end` and has the size `step` [s] (unused in statics).
void prepare_step(const System& system, const State& state, double end, double step, StepContext& context);

// Sets which ties hold over the step, and flags their vertices.
void set_held(const System& system, std::vector<char> held, StepContext& context);

// Fills the entries of `context` that do not depend on forces, for any coordinates: integrator and targets of
// obstacles. The first `columns` columns of the state are bodies, the others obstacles. Planes are those of the state.
void prepare_motion(const System& system, const State& state, double end, double step, Index columns,
                    StepContext& context);

// Moves `state` to the end of the step, or part of a step, at positions x (3 x m) and planes. kick: displacement by
// contact and friction (time_rule.h), 3 x m, or empty.
void finish_step(const System& system, const StepContext& context, const Points& x,
                 const std::vector<PlaneState>& planes, const Points& kick, State& state);

// Returns the state of a system at rest at `time`, the time of step 0, with obstacles at their positions.
State initial_state(const System& system, double time = 0);

// Returns the end time [s] of the next step. In statics the remaining load is divided evenly over the load steps.
double end_of_step(const System& system, int steps_done, double start_time);
// With time.continuation the load at the end is unknown before the step: returns that of the state.
inline double end_of_step(const System& system, const State& state) {
  if (system.setup.time.continuation) return state.time;
  return end_of_step(system, state.step, state.start_time);
}

}  // namespace sinew
