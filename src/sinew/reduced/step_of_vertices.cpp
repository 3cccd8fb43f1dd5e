#include "sinew/reduced/step_of_vertices.h"

#include "sinew/core/parallel.h"
#include "sinew/model/external_force.h"

namespace sinew {

// As of prepare_step() of full space: external forces are part of the predictor, in statics dead loads.
void fill_context(const System& system, const SpaceStep& step, StepContext& context) {
  context.inertia = step.inertia;
  context.step = step.step;
  context.reference_step = step.reference_step;
  context.scale = step.scale;
  context.contact_factor = step.contact_factor;
  context.time_end = step.time;
  context.load_factor = step.load_factor;
  external_force(system, step.time, step.load_factor, context.dead_force);
  if (!step.inertia) return;
  parallel_for(
      context.predictor.cols(),
      [&](std::size_t i) { context.predictor.col(i) += step.scale / system.mass[i] * context.dead_force.col(i); },
      4096);
}

}  // namespace sinew
