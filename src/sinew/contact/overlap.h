// Measures how deep surfaces reach into each other, for bodies whose meshes overlap (interference fits).
#pragma once

#include <vector>

#include "sinew/model/collision_mesh.h"

namespace sinew {

struct Overlap {
  Index a = -1, b = -1;  // owners, a < b
  double depth = 0;      // depth of the deepest vertex or triangle centroid inside the other owner [m]
  Vec3 place = Vec3::Zero();
};

// Returns the overlaps of all pairs of owners that have closed surfaces and may touch; x: 3 x n_all [m]. Costs one
// search for each vertex inside the box of another owner.
std::vector<Overlap> find_overlaps(const CollisionMesh& mesh, const Points& x);

}  // namespace sinew
