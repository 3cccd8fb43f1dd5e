// The volume that flat triangles cut off a curved surface, given back.
#pragma once

#include "improve.h"
#include "stars.h"

namespace sinew::mesher {

// Moves each vertex of a surface along its normal by the mean gap between the surface and the triangles around it, so
// that they keep the volume. No star gets worse than the goal, or than it was.
void balance_volume(Stars& stars, double goal, const ImproveOptions& options);

}  // namespace sinew::mesher
