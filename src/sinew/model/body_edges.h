// Lengths of the bodies' surface edges at rest.
#pragma once

#include "sinew/model/collision_mesh.h"

namespace sinew {

// The mean [m], obstacles left out; NaN without bodies.
double mean_body_edge(const CollisionMesh& mesh);

}  // namespace sinew
