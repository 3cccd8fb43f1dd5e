// Imperfect surfaces as a labelled solid: a point is inside where the generalised winding number is above one half.
#pragma once

#include <vector>

#include "solid.h"
#include "surface_input.h"

namespace sinew::mesher {

// One region a surface; where several hold a point, the smallest has it. `size` is the edge length aimed at [m].
// The surfaces face outwards as far as they can (see orient()).
Solid make_surface_solid(const std::vector<InputSurface>& surfaces, double size);

}  // namespace sinew::mesher
