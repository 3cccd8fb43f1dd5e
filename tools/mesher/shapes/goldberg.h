// Tilings of the unit sphere by hexagons and twelve pentagons.
#pragma once

#include <array>
#include <vector>

#include "sinew/core/types.h"

namespace sinew::mesher {

struct SphereTiling {
  std::vector<Vec3> corners;              // unit vectors, 20 n^2
  std::vector<std::array<int, 2>> edges;  // 30 n^2
  std::vector<Vec3> cells;                // unit vectors to their centres, 10 n^2 + 2
};

// The dual of an icosahedron whose faces are cut into n^2 triangles: 10 n^2 + 2 cells, n >= 1.
SphereTiling goldberg_tiling(int n);

// k + 1 points of the great circle from unit vector a to b.
std::vector<Vec3> arc(const Vec3& a, const Vec3& b, int k);

}  // namespace sinew::mesher
