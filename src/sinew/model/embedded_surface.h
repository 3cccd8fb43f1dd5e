// Surfaces embedded in a body: triangle meshes of any resolution whose vertices follow the body's tets. Vertex s is at
//
//   x_s = sum_v w_sv x_v
//
// with its barycentric coordinates w at rest in the tet that holds it, or in the nearest one.
#pragma once

#include "sinew/model/setup.h"

namespace sinew {

// Fills in collision_rows of a body that is about to be simulated, of an affine one with its control tet. Throws
// InputError for a body without tets, and for a surface that is far from them.
void embed_collision_surface(BodySetup& body);

// Fills in the rows of the render surface, for bodies as the user gives them. Throws likewise.
void embed_render_surface(BodySetup& body);

}  // namespace sinew
