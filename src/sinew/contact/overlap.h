// The depth by which surfaces reach into each other: interference of bodies whose meshes overlap.
#pragma once

#include <vector>

#include "sinew/model/collision_mesh.h"

namespace sinew {

struct Overlap {
  Index a = -1, b = -1;  // owners, a < b
  double depth = 0;      // of the deepest vertex or triangle middle of one owner inside the other [m]
  Vec3 place = Vec3::Zero();
};

// The overlaps of all pairs of owners with closed surfaces that may touch; x: 3 x n_all. O(vertices in the boxes of
// others) searches.
std::vector<Overlap> find_overlaps(const CollisionMesh& mesh, const Points& x);

}  // namespace sinew
