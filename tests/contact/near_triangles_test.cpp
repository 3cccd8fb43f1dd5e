#include "sinew/contact/near_triangles.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew {
namespace {

// Triangles far from the origin, scattered, of sizes over two orders.
CollisionMesh scattered(Index count, Points& x) {
  CollisionMesh mesh;
  mesh.triangles.resize(3, count);
  x = 100 + Points::Random(3, 3 * count).array();
  for (Index t = 0; t < count; ++t) {
    mesh.triangles.col(t) << 3 * t, 3 * t + 1, 3 * t + 2;
    for (int i = 1; i < 3; ++i) x.col(3 * t + i) = x.col(3 * t) + std::pow(10.0, -(t % 3)) * Vec3::Random();
  }
  return mesh;
}

bool boxes_within(const CollisionMesh& mesh, const Points& x, Index a, Index b, double reach) {
  for (int c = 0; c < 3; ++c) {
    const auto bounds = [&](Index t) {
      return std::minmax({x(c, mesh.triangles(0, t)), x(c, mesh.triangles(1, t)), x(c, mesh.triangles(2, t))});
    };
    const auto [low_a, high_a] = bounds(a);
    const auto [low_b, high_b] = bounds(b);
    if (low_a > high_b + reach || low_b > high_a + reach) return false;
  }
  return true;
}

// All triangles that a comparison of each with each finds, in order. Boxes are rounded outwards to single precision, so
// that pairs within this rounding of the reach may come too.
TEST(NearTriangles, AreThoseOfAComparisonOfEachWithEach) {
  std::srand(3);
  Points x;
  const CollisionMesh mesh = scattered(5000, x);
  const std::vector<Index> few = {5, 7, 100, 4000};
  for (const double reach : {0.0, 0.01, 0.3}) {
    const std::vector<Index> near = near_triangles(mesh, few, x, reach);
    EXPECT_TRUE(std::ranges::is_sorted(near));
    for (Index t = 0; t < mesh.triangles.cols(); ++t) {
      const bool found = std::ranges::binary_search(near, t);
      const auto within = [&](double margin) {
        return std::ranges::any_of(few, [&](Index f) { return boxes_within(mesh, x, f, t, reach + margin); });
      };
      if (within(0)) {
        EXPECT_TRUE(found) << t;
      }
      if (found) {
        EXPECT_TRUE(within(1e-6)) << t;
      }
    }
  }
  EXPECT_TRUE(near_triangles(mesh, {}, x, 1).empty());
}

}  // namespace
}  // namespace sinew
