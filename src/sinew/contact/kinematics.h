// Positions of obstacles and planes at a time, and between two times.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// Obstacles' vertices, into the last columns of `x`.
void place_obstacles(const System& system, double time, Points& x);
// Writes the obstacles' vertices alone, into all columns of `x`: no work of the size of the bodies.
void place_obstacle_vertices(const System& system, double time, Points& x);

std::vector<PlaneState> planes_at(const System& system, double time);
void planes_at(const System& system, double time, std::vector<PlaneState>& planes);  // for buffers that are kept

// from + part (to - from), the axes of unit length again. A plane at rest keeps its bits.
PlaneState interpolate(const PlaneState& from, const PlaneState& to, double part);

// The reference state of a plane, like x^ of vertices: its state h^ = remaining h before the end of a step h from
// `from` to `to`,
//
//   remaining from + (1 - remaining) to.
//
// If remaining > 1, that time is before the step.
PlaneState reference_plane(const PlaneState& from, const PlaneState& to, double remaining);

}  // namespace sinew
