#include "sinew/dynamics/named_forces.h"

#include "sinew/model/external_force.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {
namespace {

Points gravity_of(const System& system, const StepContext& context) {
  const double ramp = context.inertia ? 1 : context.load_factor;
  std::vector<Vec3> of_body;
  for (const SystemBody& body : system.bodies) of_body.push_back(acceleration(system, body, context.time_end, ramp));
  Points force(3, system.dynamic_count);
  for (Index i = 0; i < system.dynamic_count; ++i) force.col(i) = system.mass[i] * of_body[system.vertex_body[i]];
  return force;
}

// What ties pass on: P^T f - f of the forces f of all terms.
Points tie_forces_of(const StepContext& context, const Points& sum) {
  Points passed = sum;
  context.ties->pull_back(passed, passed);
  for (const Index tied : context.ties->followers()) passed.col(tied).setZero();
  return passed - sum;
}

}  // namespace

// Inertia M (x~ - x) / (a h^2) has gravity and dead loads in its predictor. Newmark's contact acts as a kick, of other
// weight: contact counts once, and inertia has the rest.
NamedForces named_forces(const System& system, const StepContext& context, const std::vector<TermForce>& terms,
                         bool made_step) {
  const Points zero = Points::Zero(3, system.dynamic_count);
  NamedForces forces{gravity_of(system, context), zero, zero, zero, zero, zero, zero};
  Points dead, sum = zero, kicks = zero;
  external_force(system, context.time_end, context.inertia ? 1 : context.load_factor, dead);
  forces.loads = dead - forces.gravity;
  for (const TermForce& term : terms) {
    sum += term.force;
    if (term.term == "inertia") {
      forces.inertia += term.force - dead;
    } else if (term.term == "pseudo inertia") {
      forces.inertia += term.force;
    } else if (term.term == "springs") {
      forces.springs += term.force;
    } else if (term.term == "damping") {
      forces.damping += term.force;
    } else if (term.term == "centrifugal") {
      forces.spin += term.force;
    } else if (term.term == "pressure" || term.term == "gas" || term.term == "wind" || term.term == "moment" ||
               term.term == "added forces") {
      forces.loads += term.force;
    } else if (term.term == "contact" || term.term == "friction") {
      kicks += (1 - 1 / context.contact_factor) * term.force;
    }
  }
  // Prescribed vertices move as they do whatever pushes them.
  for (const PrescribedVertex& prescribed : system.prescribed)
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k] && prescribed.holds_at(context.time_end)) kicks(k, prescribed.vertex) = 0;
  forces.inertia += kicks;
  if (!made_step) forces.inertia = zero;
  if (made_step && context.ties) forces.ties = tie_forces_of(context, sum);
  for (Points* force :
       {&forces.gravity, &forces.loads, &forces.springs, &forces.damping, &forces.spin, &forces.inertia, &forces.ties})
    *force = system.forces_on_shown(*force);
  return forces;
}

}  // namespace sinew
