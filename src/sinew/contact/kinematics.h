// Computes positions of obstacles and planes at a time, and between two times.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// Writes the obstacles' vertices at `time` [s] into the last columns of `x` (3 x n_all).
void place_obstacles(const System& system, double time, Points& x);
// Writes only the obstacles' vertices: resizes `x` to them, at no cost for the bodies.
void place_obstacle_vertices(const System& system, double time, Points& x);

std::vector<PlaneState> planes_at(const System& system, double time);
void planes_at(const System& system, double time, std::vector<PlaneState>& planes);  // reuses the buffer `planes`

// from + part (to - from), with the axes normalised again. A plane at rest keeps its bits.
PlaneState interpolate(const PlaneState& from, const PlaneState& to, double part);

// The reference state of a plane, the counterpart of x^ for vertices. It is the plane's state at the time h^ =
// remaining h before the end of a step of size h from `from` to `to`:
//
//   remaining from + (1 - remaining) to.
//
// If remaining > 1, that time is before the start of the step.
PlaneState reference_plane(const PlaneState& from, const PlaneState& to, double remaining);

}  // namespace sinew
