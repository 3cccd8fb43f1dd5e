// The forces on the vertices of bodies that are neither elastic, of contact, of friction nor reactions, for reports.
#pragma once

#include <vector>

#include "sinew/model/system.h"

namespace sinew {

struct StepContext;
struct TermForce;  // potential/incremental_potential.h

// Each 3 x body_vertex_count() [N]. With elastic, contact, friction and reaction forces they add up to zero.
struct NamedForces {
  Points gravity;  // with accelerations of bodies
  Points loads;    // tractions, forces, pressures and moments
  Points springs;  // pulls too
  Points damping;
  Points spin;     // centrifugal, of a rotating frame
  Points inertia;  // minus the rate of momentum, with the Coriolis and Euler forces of a rotating frame
  Points ties;     // on tied vertices, and opposite ones on those that they follow
};

// terms: StepModel::term_forces(), with the context of their step. Without a step, inertia and forces of ties are zero.
NamedForces named_forces(const System& system, const StepContext& context, const std::vector<TermForce>& terms,
                         bool made_step);

}  // namespace sinew
