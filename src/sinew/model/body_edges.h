// Lengths of the bodies' surface edges at rest.
#pragma once

#include "sinew/model/collision_mesh.h"

namespace sinew {

// Returns the mean length [m] of the bodies' surface edges at rest, without obstacles; NaN without bodies.
double mean_body_edge(const CollisionMesh& mesh);

}  // namespace sinew
