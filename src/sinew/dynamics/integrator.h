// The time integrators as data: predictor, scale and velocity of each step (theory, section 2).
#pragma once

#include "sinew/contact/kinematics.h"
#include "sinew/model/state.h"
#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

// Fills `context` for the step from `state` to state.time + h: predictor, reference, targets, dead loads.
void prepare_step(const System& system, const State& state, StepContext& context);
// For a part of it, of size `step` [s] (in statics without meaning), which ends at `end`.
void prepare_step(const System& system, const State& state, double end, double step, StepContext& context);

// Sets which ties hold over the step, and the flags of their vertices.
void set_held(const System& system, std::vector<char> held, StepContext& context);

// The share of any coordinates of it, of which the first `columns` of a state are those of bodies and the others of
// obstacles: what the integrator says, but for forces, and where obstacles go to. Planes are those that the state has.
void prepare_motion(const System& system, const State& state, double end, double step, Index columns,
                    StepContext& context);

// Moves `state` to the end of the step or part with positions x (3 x m) and planes. kick: the displacement by
// contact and friction (time_rule.h), 3 x m or empty: there is none.
void finish_step(const System& system, const StepContext& context, const Points& x,
                 const std::vector<PlaneState>& planes, const Points& kick, State& state);

// The state of a system at rest, with obstacles where their motion has them at `time`, from which the steps count.
State initial_state(const System& system, double time = 0);

// When the step after `state` ends [s]; in statics the load steps share out what is left of the load.
double end_of_step(const System& system, int steps_done, double start_time);
inline double end_of_step(const System& system, const State& state) {
  return end_of_step(system, state.step, state.start_time);
}

}  // namespace sinew
