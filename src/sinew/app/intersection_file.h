// The primitives that intersect at the start of a scene, as a mesh file to look at.
#pragma once

#include <string>

#include "sinew/model/state.h"
#include "sinew/model/system.h"

namespace sinew::app {

// Throws InputError unless the name ends in .vtu, .obj or .ply and could be written.
void check_intersection_path(const std::string& path);

// Writes the triangles and edges that cross, and the triangles behind planes, at the positions of `state`. In a .vtu,
// cells have owner_id (bodies in scene order, then obstacles) and points have vertex_id in their own mesh. In a .ply,
// vertices have both as properties. In an .obj, each body and obstacle is an object of its name. Returns the number of
// primitives; without any nothing is written. Throws SimulationError when writing fails.
std::size_t write_intersections(const std::string& path, const System& system, const State& state);

}  // namespace sinew::app
