// Writes the primitives that intersect at the start of a scene to a mesh file for viewing.
#pragma once

#include <string>

#include "sinew/model/state.h"
#include "sinew/model/system.h"

namespace sinew::app {

// Throws InputError unless the name ends in .vtu, .obj or .ply and the file can be written.
void check_intersection_path(const std::string& path);

// Writes the triangles and edges that cross, and the triangles behind planes, at the positions of `state`. In a .vtu,
// cells have owner_id (bodies in scene order, then obstacles) and points have vertex_id in their own mesh. In a .ply,
// vertices have both as properties. In an .obj, each body and obstacle is an object of that name. Returns the number of
// primitives; if it is 0, nothing is written. Throws SimulationError if writing fails.
std::size_t write_intersections(const std::string& path, const System& system, const State& state);

}  // namespace sinew::app
