// The scalar functions of a handle at a vertex.
#pragma once

#include <array>

#include "sinew/subspace/handle_basis.h"

namespace sinew {

// Returns phi (1, (X - c) / r) for entry `entry` of a basis at the vertex with rest position X: the entries of U for
// each axis (handle_basis.h).
inline std::array<double, 4> handle_scalars(const HandleBasis& basis, std::int64_t entry, const Vec3& X) {
  const Index h = basis.handle[entry];
  const Vec3 s = (X - basis.center[h]) / basis.radius[h];
  const double phi = basis.weight[entry];
  return {phi, phi * s[0], phi * s[1], phi * s[2]};
}

}  // namespace sinew
