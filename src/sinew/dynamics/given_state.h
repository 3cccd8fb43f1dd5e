// States that are given from outside: what they may be, and what of them stays as it was.
#pragma once

#include <string>

#include "sinew/dynamics/stepper.h"
#include "sinew/model/state.h"
#include "sinew/model/system.h"

namespace sinew {

// Throws InputError that names the first intersection's bodies and primitives, in the numbering of their files.
void refuse_intersections(const System& system, const State& state, const std::string& when);

// False where a tet is inverted and its material does not allow it.
bool has_elastic_energy(const System& system, const Points& x);

// Puts positions or velocities of the bodies (3 x body_vertex_count()) into a state, and drops the history. Each throws
// InputError where numbers are not finite; positions also where they intersect or invert a tet.
void set_given_positions(const System& system, const Points& x, State& state);
void set_given_velocities(const System& system, const Points& v, State& state);

// now: of the state that is replaced. Throws InputError where positions of prescribed vertices are not those that they
// have: the next step would undo them. What differs by rounding becomes what it was.
void keep_prescribed_positions(const System& system, const Points& now, const Clock& clock, Points& x);
// The velocities of prescribed coordinates are those of their motion. Returns how many others were given.
Index keep_prescribed_velocities(const System& system, const Points& now, const Clock& clock, Points& v);

}  // namespace sinew
