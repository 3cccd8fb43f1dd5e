#include "sinew/scene/face_patch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Geometry>

#include "sinew/contact/distance.h"

namespace sinew {

Index nearest_face(const Points& vertices, const Triangles& triangles, const Vec3& p, double& distance) {
  Index best = -1;
  double smallest = std::numeric_limits<double>::infinity();  // [m^2]
  for (Index f = 0; f < triangles.cols(); ++f) {
    const double d2 = point_triangle_distance2(p, vertices.col(triangles(0, f)), vertices.col(triangles(1, f)),
                                               vertices.col(triangles(2, f)));
    if (!(d2 < smallest)) continue;
    smallest = d2;
    best = f;
  }
  distance = std::sqrt(smallest);
  return best;
}

// A flood over edges. An edge of more than two triangles ends the patch.
std::vector<char> smooth_patch(const Points& vertices, const Triangles& triangles, Index seed, double angle) {
  const auto normal = [&](Index f) {
    const Vec3 a = vertices.col(triangles(0, f));
    return Vec3((vertices.col(triangles(1, f)) - a).cross(vertices.col(triangles(2, f)) - a));
  };
  // Sides of triangles, sorted by their edge.
  std::vector<std::pair<std::pair<Index, Index>, Index>> sides;
  for (Index f = 0; f < triangles.cols(); ++f)
    for (int k = 0; k < 3; ++k) sides.emplace_back(std::minmax({triangles(k, f), triangles((k + 1) % 3, f)}), f);
  std::ranges::sort(sides);
  std::vector<char> reached(static_cast<std::size_t>(triangles.cols()), 0);
  std::vector<Index> open = {seed};
  reached[seed] = 1;
  while (!open.empty()) {
    const Index f = open.back();
    open.pop_back();
    const Vec3 n = normal(f);
    for (int k = 0; k < 3; ++k) {
      const std::pair<Index, Index> edge = std::minmax({triangles(k, f), triangles((k + 1) % 3, f)});
      const auto first = std::ranges::lower_bound(sides, std::pair(edge, Index{0}));
      const auto beyond = std::find_if(first, sides.end(), [&](const auto& side) { return side.first != edge; });
      if (beyond - first != 2) continue;
      const Index other = first->second == f ? (first + 1)->second : first->second;
      if (reached[other]) continue;
      const Vec3 m = normal(other);
      if (std::atan2(n.cross(m).norm(), n.dot(m)) > angle) continue;
      reached[other] = 1;
      open.push_back(other);
    }
  }
  return reached;
}

}  // namespace sinew
