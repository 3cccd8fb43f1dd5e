// Where obstacles are at a time.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// Obstacles' vertices, into the columns [dynamic_count, n_all) of `x`.
void place_obstacles(const System& system, double time, Points& x);
std::vector<PlaneState> planes_at(const System& system, double time);

}  // namespace sinew
