#include "sinew/reduced/affine_motion.h"

namespace sinew {

// [A | t] with x = A X + t, from the images of the origin and of the unit vectors.
AffineMap affine_at(const System& system, Index motion, double time) {
  AffineMap map = AffineMap::Identity();
  if (motion < 0 || system.motions[motion].empty()) return map;
  if (system.motions[motion].course) return system.motions[motion].course->map(time);
  map.col(3) = system.motions[motion].apply(Vec3::Zero(), time);
  for (int k = 0; k < 3; ++k) map.col(k) = system.motions[motion].apply(Vec3::Unit(k), time) - map.col(3);
  return map;
}

}  // namespace sinew
