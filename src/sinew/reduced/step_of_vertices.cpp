#include "sinew/reduced/step_of_vertices.h"

#include "sinew/model/external_force.h"

namespace sinew {

void fill_context(const System& system, const SpaceStep& step, StepContext& context) {
  context.inertia = step.inertia;
  context.step = step.step;
  context.reference_step = step.reference_step;
  context.scale = step.scale;
  context.contact_factor = step.contact_factor;
  context.time_end = step.time;
  context.load_factor = step.load_factor;
  add_external_force(system, context);
}

}  // namespace sinew
