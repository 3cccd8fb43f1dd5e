// The surfaces that a page draws of a simulation, with few triangles.
#pragma once

#include <vector>

#include "sinew/model/system.h"

namespace sinew {

// The surface of a body or of an obstacle with a mesh. Its vertices are vertices of the system.
struct WebSkin {
  Index owner = 0;              // as in CollisionMesh
  std::vector<Index> vertices;  // of the system
  Triangles triangles;          // numbers in `vertices`, outward
};

// Returns the surfaces of all bodies and obstacles with at most about `triangles` triangles in all.
std::vector<WebSkin> web_skins(const System& system, Index triangles);

}  // namespace sinew
