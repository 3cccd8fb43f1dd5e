// Surfaces embedded in a body: triangle meshes of any resolution whose vertices follow the body's tets. Surface vertex
// s is at
//   x_s = sum_v w_sv x_v
//
// where w are its barycentric coordinates at rest in the tet that contains it, or in the nearest tet.
#pragma once

#include "sinew/model/setup.h"

namespace sinew {

// Fills in collision_rows of a body that is about to be simulated; for an affine body, by its control tet. Throws
// InputError for a body without tets, and for a surface that is far from the tets.
void embed_collision_surface(BodySetup& body);

// Fills in the rows of the render surface, for bodies as the user gives them. Throws InputError in the same cases.
void embed_render_surface(BodySetup& body);

}  // namespace sinew
