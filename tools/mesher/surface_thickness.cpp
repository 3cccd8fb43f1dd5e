#include "surface_thickness.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew::mesher {
namespace {

Vec3 unit_normal(const SurfaceTree& tree, Index f) {
  return (tree.corner(f, 1) - tree.corner(f, 0)).cross(tree.corner(f, 2) - tree.corner(f, 0)).normalized();
}

}  // namespace

std::vector<double> thickness(const SurfaceTree& tree, double most) {
  constexpr double facing = 0.7;  // cosine: a wall across, not the flank of a wedge
  std::vector<double> result(static_cast<std::size_t>(tree.size()), most);
  parallel_for(result.size(), [&](std::size_t i) {
    const auto f = static_cast<Index>(i);
    const Vec3 n = unit_normal(tree, f);
    const Vec3 centre = (tree.corner(f, 0) + tree.corner(f, 1) + tree.corner(f, 2)) / 3;
    for (int k = 0; k < 4; ++k) {  // the centre and points on the way to the corners
      const Vec3 p = k == 3 ? centre : Vec3(0.5 * (centre + tree.corner(f, k)));
      for (const Vec3& d : {n, Vec3(-n)}) {
        const RayHit hit = tree.first_hit(p, d, f);
        if (hit.triangle < 0 || std::abs(unit_normal(tree, hit.triangle).dot(n)) < facing) continue;
        result[i] = std::min(result[i], hit.distance);
      }
    }
  });
  return result;
}

}  // namespace sinew::mesher
