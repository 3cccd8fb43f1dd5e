// Preload of bolts. A plane with the normal n cuts the body in two, and the part behind it is moved by -s n at rest.
// The body is then shorter by s and free of stress. With H the function on the mesh that is 0 before and 1 behind the
// cut, tets that the plane crosses have at rest the gradient
//
//   M = I - s n (grad H)^T
//
// of that motion, and the deformation F M^-1. If other parts keep the body from shrinking by s, it is in tension. The
// tension does not depend on the tets that the plane crosses.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// The force [N] or shortening [m] that a bolt has at `time`, in statics the fraction of the load; ramp: the factor on
// loads there. A force that is locked later on is full then.
double bolt_target(const Bolt& bolt, const TimeSetup& setup, double time, double ramp);

// Whether the force is kept at a value in a step that begins at `time`, else the shortening is. The step in which the
// bolt is to be locked still reaches its force.
bool keeps_force(const Bolt& bolt, double time);

// The largest shortening that leaves all tets of the cut a tenth of their height, and the smallest (a lengthening).
double largest_shortening(const Bolt& bolt);
double smallest_shortening(const Bolt& bolt);

// sum_t E_t V_t (n . grad H_t)^2: the stiffness of the tets of the cut alone [N/m].
double cut_stiffness(const System& system, const Bolt& bolt);

}  // namespace sinew
