// Scales that the setup leaves to the size and the motion of the scene.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// Whether contacts may rub: contact is on, and some pair of materials has a coefficient of friction.
bool has_friction(const System& system);

// solver.tolerance, or for 0 ("auto") the one that suits the system's size and integrator [m/s], in statics [m]. That
// of a System is resolved already; a solver that replaces its own may not be.
double resolved_tolerance(const SolverSetup& solver, const System& system);

// contact.slip_speed, or for 0 ("auto") the one that suits the system's size and motion [m/s], in statics [m a load
// step]. Statics have no speed: friction that acts below a slip of eps is lost in load steps that slip by less, however
// many there are. So eps is a share of the largest prescribed motion of a load step.
double resolved_slip_speed(const ContactSetup& contact, const System& system);

// Start value of the contact stiffness kappa [Pa] when the setup leaves it to the scene: `by_elasticity`, a tenth of
// the softest body's Young's modulus, but no more than what inertia and weight ask for, 100 times the pressure that
// stops the heaviest body within a step: rho L (|gravity| + v / h), L its diagonal, of a cloth its thickness, v the
// largest of initial speeds, prescribed speeds and a fall by the scene's diagonal. Stiffer contacts act over a part of
// contact.distance that positions within the tolerance cross, and steps then creep (compare IPC 2020, supplement, where
// kappa is bounded by mass as well).
double stiffness_by_inertia(const System& system, double by_elasticity);

// Largest way of a prescribed vertex, an obstacle's vertex or a plane's point in one load step [m], of all load steps
// (a thousand of them, evenly, where there are more).
double largest_prescribed_motion(const System& system);

}  // namespace sinew
