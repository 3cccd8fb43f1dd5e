// Scales that the setup leaves to the size and the motion of the scene.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// Whether contacts may rub: contact is on, and some pair of materials has a coefficient of friction.
bool has_friction(const System& system);

// solver.tolerance, or for 0 ("auto") the one that suits the system's size and integrator [m/s], in statics [m]. A
// System holds the resolved tolerance; a solver that replaces its own may not.
double resolved_tolerance(const SolverSetup& solver, const System& system);

// contact.slip_speed, or for 0 ("auto") the one that suits the system's size and motion [m/s], in statics [m a load
// step]. Statics have no speed: friction that acts below a slip of eps is lost in load steps that slip by less, however
// many there are. So eps is a share of the largest prescribed motion of a load step.
double resolved_slip_speed(const ContactSetup& contact, const System& system);

// Start value of the contact stiffness kappa [Pa] if the setup leaves it to the scene: `by_elasticity`, at most
//
//   100 rho L (|gravity| + v / h),
//
// a hundred times the pressure that stops the heaviest body within a step. L is its diagonal, of a cloth its thickness.
// v is the largest of initial speeds, prescribed speeds and a fall by the scene's diagonal. Stiffer contacts act over
// so small a part of contact.distance that positions within the tolerance cross it, and steps creep. IPC 2020,
// supplement, bounds kappa by mass as well.
double stiffness_by_inertia(const System& system, double by_elasticity);

// Largest motion in one load step [m] of a prescribed vertex, an obstacle's vertex or a plane's point. At most a
// thousand load steps, spread evenly, are looked at.
double largest_prescribed_motion(const System& system);

}  // namespace sinew
