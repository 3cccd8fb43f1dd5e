// Finds the surface triangles near a few of them.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/collision_mesh.h"

namespace sinew {

// Returns the triangles of the mesh, ascending, whose boxes at x (3 x n_all) [m] are within `reach` [m] of the box of a
// triangle in `few`, these included. O(triangles), with one query in a tree of the few for each.
std::vector<Index> near_triangles(const CollisionMesh& mesh, std::span<const Index> few, const Points& x, double reach);

}  // namespace sinew
