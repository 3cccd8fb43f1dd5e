// Values of a state at the vertices and in the tets of a place.
#pragma once

#include "sinew/model/system.h"
#include "sinew/sensors/sensor_source.h"

namespace sinew {

// A quantity of vertices: 3 x vertices of the place, or 3 x 1 for the point of an analytic plane.
MatX vertex_values(const System& system, const SensorPlace& place, Quantity quantity, const State& state);

// A quantity of tets: components x tets of the place.
MatX tet_values(const SensorPlace& place, Quantity quantity, SensorSource& source);

// The volumes of the place's tets at rest [m^3].
VecX tet_volumes(const System& system, const SensorPlace& place);

// The volume that the place's faces enclose at x [m^3], positive on either side.
double enclosed_volume(const SensorPlace& place, const Points& x);

}  // namespace sinew
