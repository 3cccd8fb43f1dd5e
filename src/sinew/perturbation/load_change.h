// How the loads of a static scene change from a state to their full value: the reference load of buckling, and the
// amplitude of a harmonic excitation.
#pragma once

#include "sinew/perturbation/tangent.h"

namespace sinew {

struct LoadChange {
  VecX force;   // on coordinates with equations, at the state [N]
  VecX motion;  // of prescribed coordinates [m]; zero elsewhere
};

// Returns the change of loads, temperatures, prescribed motion and obstacles from state.time to time 1. Throws
// InputError for dynamic scenes and if nothing changes; `command` begins the message.
LoadChange load_change(Tangent& tangent, const char* command);

// Returns the displacement that the change causes in a linear analysis: K u = f at free coordinates [m].
VecX linear_response(const Tangent& tangent, SparseCholesky& factor, const LoadChange& change);

}  // namespace sinew
