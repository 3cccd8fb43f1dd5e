// Cross products as matrices.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

// The matrix [a]x with [a]x b = a x b.
inline Mat3 cross_matrix(const Vec3& a) {
  return Mat3{{0, -a.z(), a.y()}, {a.z(), 0, -a.x()}, {-a.y(), a.x(), 0}};
}

}  // namespace sinew
