// Surfaces embedded in a body: triangle meshes of any resolution whose vertices follow the body's tets, x_s = sum_v
// w_sv x_v with the barycentric coordinates w of the vertex at rest in the tet that holds it, or else is nearest to it.
#pragma once

#include "sinew/model/setup.h"

namespace sinew {

// Of bodies that are about to be simulated, affine ones with their control tet: fills in collision_rows. Throws
// InputError for a body without tets, and for a surface that is far from them.
void embed_collision_surface(BodySetup& body);

// Of bodies as the user gives them: fills in what the render surface follows. Throws likewise.
void embed_render_surface(BodySetup& body);

}  // namespace sinew
