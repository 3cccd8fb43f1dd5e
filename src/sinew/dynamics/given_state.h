// Checks states that users give, and keeps the motion of their prescribed coordinates.
#pragma once

#include <string>

#include "sinew/dynamics/stepper.h"
#include "sinew/model/edit.h"
#include "sinew/model/state.h"
#include "sinew/model/system.h"

namespace sinew {

// Throws InputError if the state intersects; the text names the bodies and primitives, numbered as in their files.
void refuse_intersections(const System& system, const State& state, const std::string& when);

// Returns false if a tet is inverted whose material forbids it.
bool has_elastic_energy(const System& system, const Points& x);

// Throws InputError if edges at x (3 x n_all) are beyond their stretch_limit, or beyond the one of an edit; the text
// names the first edge.
void refuse_overstretched(const System& system, const Points& x);
void refuse_tighter_limit(const System& system, const MaterialEdit& edit, const Points& x);

// Replaces positions or velocities of the bodies (3 x body_vertex_count()) in a state, and drops the history. Throws
// InputError if numbers are not finite, or if positions intersect, invert a tet or overstretch an edge.
void set_given_positions(const System& system, const Points& x, State& state);
void set_given_velocities(const System& system, const Points& v, State& state);

// Throws InputError if x moves prescribed vertices from their positions `now`, because the next step would move them
// back. Removes differences by rounding.
void keep_prescribed_positions(const System& system, const Points& now, const Clock& clock, Points& x);
// Sets the velocities of prescribed coordinates to those of their motion. Returns how many differed.
Index keep_prescribed_velocities(const System& system, const Points& now, const Clock& clock, Points& v);

}  // namespace sinew
