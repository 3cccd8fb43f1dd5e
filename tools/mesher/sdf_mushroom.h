// A mushroom of height 1 that stands at y = 0: about its distance.
#pragma once

#include "sdf.h"

namespace sinew::mesher {

inline double mushroom_distance(const Vec3& p) {
  const double stem = smooth_union(ellipsoid_distance(p - Vec3(0, 0.22, 0), {0.26, 0.3, 0.26}),
                                   capsule_distance(p, {0, 0.2, 0}, {0, 0.6, 0}, 0.22, 0.18), 0.1);
  const double dome = ellipsoid_distance(p - Vec3(0, 0.56, 0), {0.48, 0.44, 0.48});
  const double under = 0.56 + 0.06 * smooth_step(0.5, 0.1, std::hypot(p.x(), p.z())) - p.y();
  return smooth_union(stem, round_intersection(dome, under, 0.05), 0.06);
}

}  // namespace sinew::mesher
