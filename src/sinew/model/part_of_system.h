// Makes a system from some tets of a system, to compute modes and their cubature.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/system.h"

namespace sinew {

// Returns a system with the rest shape, materials and masses of the tets, which must ascend. It has no loads, springs,
// obstacles, prescribed vertices or collision mesh. Its vertices are numbered in ascending order; `vertices` receives
// their numbers in the whole system. A vertex that other tets share gets a share of its mass, by the volume of these
// tets at the vertex over `volume`. volume: of all tets at each vertex of the whole system [m^3].
System part_of_system(const System& whole, std::span<const Index> tets, std::span<const double> volume,
                      std::vector<Index>& vertices);

// Appends to part.groups those of the tets (ascending numbers in `whole`), which become the tets of `part`.
void add_groups(const System& whole, std::span<const Index> tets, System& part);

// Returns the volume of the tets at each vertex [m^3], dynamic_count entries.
std::vector<double> vertex_volumes(const System& system);

}  // namespace sinew
