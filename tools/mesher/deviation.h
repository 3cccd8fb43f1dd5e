// How far two surfaces are from each other.
#pragma once

#include "surface_tree.h"

namespace sinew::mesher {

struct Deviation {
  double max = 0, mean = 0;  // distance to the other surface [m]; the mean is over the area
};

// From points of the triangles, about `spacing` [m] apart, to the nearest of the other surface. The largest distance is
// thus known up to that spacing.
Deviation deviation(const Points& vertices, const Triangles& triangles, const SurfaceTree& other, double spacing);

}  // namespace sinew::mesher
