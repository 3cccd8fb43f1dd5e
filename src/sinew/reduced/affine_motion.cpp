#include "sinew/reduced/affine_motion.h"

namespace sinew {

// Column 3 is the image of the origin, column k that of the unit vector e_k less it.
AffineMap affine_at(const System& system, Index motion, double time) {
  AffineMap map = AffineMap::Identity();
  if (motion < 0 || system.motions[motion].empty()) return map;
  map.col(3) = system.motions[motion].apply(Vec3::Zero(), time);
  for (int k = 0; k < 3; ++k) map.col(k) = system.motions[motion].apply(Vec3::Unit(k), time) - map.col(3);
  return map;
}

}  // namespace sinew
