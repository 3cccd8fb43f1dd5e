// Finds faces of a surface from a point: the nearest face, and the smooth patch around a face.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// Returns the triangle nearest to p, of equally near ones the first; -1: there are none. distance: to it [m].
Index nearest_face(const Points& vertices, const Triangles& triangles, const Vec3& p, double& distance);

// Returns the flags of the triangles that are reached from triangle `seed` over edges of two triangles, whose normals
// make an angle of at most `angle` [rad].
std::vector<char> smooth_patch(const Points& vertices, const Triangles& triangles, Index seed, double angle);

}  // namespace sinew
