// Signed distances to surfaces against closed forms and against all triangles.
#include "sinew/contact/surface_distance.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "sinew/contact/distance.h"

namespace sinew {
namespace {

// A box [-1, 1]^3 by twelve triangles, its corners numbered by the signs of their coordinates.
struct Box {
  explicit Box(bool open = false) {
    x.resize(3, 8);
    for (int i = 0; i < 8; ++i) x.col(i) = Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    // Outward; the last two, z = 1, are left out of an open one.
    const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                              {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}, {4, 5, 6}, {5, 7, 6}};
    const int count = open ? 10 : 12;
    mesh.triangles.resize(3, count);
    for (int f = 0; f < count; ++f)
      for (int k = 0; k < 3; ++k) mesh.triangles(k, f) = faces[f][k];
    mesh.vertex_owner.assign(8, 0);
    mesh.owner_count = 1;
    mesh.edge_rest_length2.assign(1, 0.25);
  }
  Points x;
  CollisionMesh mesh;
};

double box_distance(const Vec3& p) {
  const Vec3 q = p.cwiseAbs() - Vec3::Ones();
  return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
}

TEST(SurfaceDistance, OfABoxIsItsClosedForm) {
  const Box box;
  SurfaceDistance surface(box.mesh);
  surface.update(box.x);
  EXPECT_TRUE(surface.closed(0));
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-2.5, 2.5);
  for (int i = 0; i < 5000; ++i) {
    const Vec3 p(uniform(random), uniform(random), uniform(random));
    const NearestPoint nearest = surface.nearest(0, box.x, p, std::numeric_limits<double>::infinity());
    ASSERT_GE(nearest.triangle, 0);
    EXPECT_NEAR(nearest.distance, box_distance(p), 1e-12) << p.transpose();
    Vec3 q = p;
    for (int k = 0; k < 3; ++k) q -= nearest.weights[k] * box.x.col(box.mesh.triangles(k, nearest.triangle));
    EXPECT_LT((q - nearest.distance * nearest.normal).norm(), 1e-12);
    EXPECT_NEAR(nearest.weights.sum(), 1, 1e-14);
    EXPECT_GE(nearest.weights.minCoeff(), -1e-14);
  }
}

TEST(SurfaceDistance, NearCornersAndEdgesAndOnTheSurface) {
  const Box box;
  SurfaceDistance surface(box.mesh);
  surface.update(box.x);
  const double all = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(surface.nearest(0, box.x, Vec3(1.1, 1.1, 1.1), all).distance, 0.1 * std::sqrt(3), 1e-14);
  EXPECT_NEAR(surface.nearest(0, box.x, Vec3(0.9, 0.95, 0.99), all).distance, -0.01, 1e-14);
  EXPECT_NEAR(surface.nearest(0, box.x, Vec3(1.2, 1.1, 0), all).distance, std::hypot(0.2, 0.1), 1e-14);
  const NearestPoint on = surface.nearest(0, box.x, Vec3(0.3, 0.2, 1), all);
  EXPECT_NEAR(on.distance, 0, 1e-15);
  EXPECT_LT((on.normal - Vec3::UnitZ()).norm(), 1e-14);
}

TEST(SurfaceDistance, SeesNothingBeyondItsRadius) {
  const Box box;
  SurfaceDistance surface(box.mesh);
  surface.update(box.x);
  EXPECT_EQ(surface.nearest(0, box.x, Vec3(0, 0, 1.5), 0.4).triangle, -1);
  EXPECT_GE(surface.nearest(0, box.x, Vec3(0, 0, 1.5), 0.6).triangle, 0);
  EXPECT_NEAR(surface.box_distance(0, Vec3(0, 0, 1.5)), 0.5, 1e-6);
  EXPECT_EQ(surface.box_distance(0, Vec3(0, 0, 0)), 0);
}

TEST(SurfaceDistance, BordersOfOpenSurfacesAreNamed) {
  const Box box(true);
  SurfaceDistance surface(box.mesh);
  surface.update(box.x);
  EXPECT_FALSE(surface.closed(0));
  const double all = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(surface.nearest(0, box.x, Vec3(1, 0, 1.5), all).on_border);
  EXPECT_FALSE(surface.nearest(0, box.x, Vec3(0.9, 0, 0), all).on_border);
}

TEST(SurfaceDistance, FollowsTheSurface) {
  const Box box;
  SurfaceDistance surface(box.mesh);
  surface.update(box.x);
  Points moved = 0.5 * box.x;
  moved.colwise() += Vec3(3, 0, 0);
  surface.update(moved);
  EXPECT_NEAR(surface.nearest(0, moved, Vec3(3.6, 0, 0), 10).distance, 0.1, 1e-14);
  EXPECT_NEAR(surface.nearest(0, moved, Vec3(3.1, 0, 0), 10).distance, -0.4, 1e-14);
}

}  // namespace
}  // namespace sinew
