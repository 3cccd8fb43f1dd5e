// The faces of cavities: those around gas, and those that no wind reaches.
#pragma once

#include "sinew/model/setup.h"

namespace sinew {

// Returns the faces around gas among those of load `entry` of a body. In a body of tets these are the surfaces of
// cavities, without an outer surface. In a cloth these are all faces, and each part is turned outward. Cavities of one
// load share their gas. Throws InputError unless the faces are closed and enclose gas.
Triangles gas_faces(const BodySetup& body, std::size_t entry);

// Returns the faces of load `entry` that a wind reaches: without the surfaces of closed cavities in a body of tets,
// unless nothing else is selected.
Triangles windward_faces(const BodySetup& body, std::size_t entry);

// The volume that closed triangles enclose, negative if they face inwards [m^3].
double signed_volume(const Triangles& faces, const Points& x);

}  // namespace sinew
