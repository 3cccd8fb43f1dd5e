// Computes scales that the setup leaves to the size and the motion of the scene.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// Whether friction may act: contact is on, and some pair of materials has a coefficient of friction.
bool has_friction(const System& system);

// Returns solver.tolerance. If it is 0 ("auto"), returns a tolerance that suits the system's size and integrator [m/s],
// in statics [m]. A System stores the resolved tolerance; call this for a solver with its own setting.
double resolved_tolerance(const SolverSetup& solver, const System& system);

// Returns contact.slip_speed. If it is 0 ("auto"), returns a value that suits the system's size and motion [m/s], in
// statics [m] for each load step. Statics have no speed: friction that acts below a slip of eps is lost in load steps
// that slip by less, however many there are. Therefore eps is a share of the largest prescribed motion of a load step.
double resolved_slip_speed(const ContactSetup& contact, const System& system);

// Returns the initial contact stiffness kappa [Pa] if the setup gives none: `by_elasticity`, at most
//
//   100 rho L (|gravity| + v / h),
//
// a hundred times the pressure that stops the heaviest body within a step. L is the diagonal of that body, or the
// thickness of a cloth. The speed v is the largest of initial speeds, prescribed speeds, and the speed after a fall by
// the scene's diagonal. Stiffer contacts act over so small a part of contact.distance that positions within the
// tolerance cross it, and steps become tiny. IPC 2020, supplement, also bounds kappa by mass.
double stiffness_by_inertia(const System& system, double by_elasticity);

// Returns the largest motion in one load step [m] of a prescribed vertex, an obstacle's vertex or a plane's point.
// Samples at most a thousand load steps, spread evenly.
double largest_prescribed_motion(const System& system);

}  // namespace sinew
