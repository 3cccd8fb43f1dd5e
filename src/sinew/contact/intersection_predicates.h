// Exact geometric predicates on double coordinates: signs of determinants by a floating-point filter, then by expansion
// arithmetic (Shewchuk 1997). Exact as long as no product of three coordinate differences underflows or overflows.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

// Sign (-1, 0, 1) of det[a - d, b - d, c - d], the side of d from the plane a b c. It is positive if a, b, c run
// counter-clockwise seen from d.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Sign of the area of a, b, c projected along coordinate axis `axis` (0, 1, 2).
int projected_orientation(const Vec3& a, const Vec3& b, const Vec3& c, int axis);

// Whether the closed segment p q and the closed triangle a b c have a point in common; touching, coplanar and
// degenerate cases are decided exactly.
bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace sinew
