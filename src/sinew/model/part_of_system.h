// Some tets of a system as a system of their own, from which modes and their cubature are computed.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/system.h"

namespace sinew {

// Rest shape, materials and masses of the tets, which ascend; vertices, ascending in the whole, are numbered among
// themselves. A vertex shared with other tets gets a share of its mass: its volume here over its volume in the whole.
// Without loads, springs, obstacles, prescribed vertices and collision mesh. `vertices`: their numbers in the whole;
// volume: of all tets at each vertex of the whole [m^3].
System part_of_system(const System& whole, std::span<const Index> tets, std::span<const double> volume,
                      std::vector<Index>& vertices);

// The volume of the tets at each vertex, dynamic_count [m^3].
std::vector<double> vertex_volumes(const System& system);

}  // namespace sinew
