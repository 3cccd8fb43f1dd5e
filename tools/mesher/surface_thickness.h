// How thin solids and gaps are at their surface: what limits the triangles there.
#pragma once

#include <vector>

#include "surface_tree.h"

namespace sinew::mesher {

// For each triangle the distance along its normal, in front and behind, to a triangle that faces it, if that is less
// than `most` [m], else `most`.
std::vector<double> thickness(const SurfaceTree& tree, double most);

}  // namespace sinew::mesher
