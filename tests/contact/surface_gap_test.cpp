// The smallest distance of two surfaces against all pairs of points on them.
#include "sinew/contact/surface_gap.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/mesh/primitives.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

TEST(SurfaceGap, OfTwoBallsAndOfACornerOverAFace) {
  const TetMesh ball = make_sphere(0.1, 0.02), box = make_box(Vec3(0.2, 0.2, 0.2), {3, 3, 3});
  const Triangles of_ball = boundary_triangles(ball.tets), of_box = boundary_triangles(box.tets);
  Points x(3, ball.vertex_count() + box.vertex_count());
  const Vec3 shift(0.3, 0.01, -0.02);
  x << ball.vertices, (box.vertices.colwise() + shift);
  Triangles second = of_box.array() + ball.vertex_count();
  // The nearest point of the ball is a vertex or lies within a face: bounded by the radius and the sagitta of a face.
  const double gap = surface_gap(x, of_ball, second);
  EXPECT_GE(gap, 0.3 - 0.1 - 0.1 - 1e-12);
  EXPECT_LE(gap, 0.3 - 0.1 - 0.1 + 0.1 * (1 - std::cos(0.02 / 0.1)));
  EXPECT_DOUBLE_EQ(gap, surface_gap(x, second, of_ball));
  // Two edges that cross at a distance.
  Points crossed(3, 6);
  crossed << -1, 1, 0, 0, 0, 0, 0, 0, 0, -1, 1, 0, 0, 0, -2, 0.25, 0.25, 2.25;
  Triangles one(3, 1), other(3, 1);
  one << 0, 1, 2;
  other << 3, 4, 5;
  EXPECT_DOUBLE_EQ(surface_gap(crossed, one, other), 0.25);
  EXPECT_EQ(surface_gap(crossed, one, Triangles(3, 0)), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace sinew
