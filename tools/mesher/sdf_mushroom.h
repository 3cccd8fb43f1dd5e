// A mushroom of height 1 that stands at y = 0: about its distance.
#pragma once

#include "sdf.h"

namespace sinew::mesher {

inline double mushroom_distance(const Vec3& p) {
  double stem = capsule_distance(p, {0, 0.1, 0}, {0, 0.6, 0}, 0.19, 0.14);
  stem = smooth_union(stem, ellipsoid_distance(p - Vec3(0, 0.1, 0), {0.25, 0.2, 0.25}), 0.1);
  const double dome = ellipsoid_distance(p - Vec3(0, 0.56, 0), {0.5, 0.44, 0.5});
  const double under = 0.54 + 0.08 * smooth_step(0.5, 0.15, std::hypot(p.x(), p.z())) - p.y();
  return smooth_union(stem, round_intersection(dome, under, 0.05), 0.06);
}

}  // namespace sinew::mesher
