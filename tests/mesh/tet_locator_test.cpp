#include "sinew/mesh/tet_locator.h"

#include <random>

#include <gtest/gtest.h>

#include "sinew/mesh/primitives.h"

namespace sinew {
namespace {

Vec3 point_of(const TetMesh& mesh, const TetPoint& at) {
  Vec3 sum = Vec3::Zero();
  for (int c = 0; c < 4; ++c) sum += at.weights[c] * mesh.vertices.col(mesh.tets(c, at.tet));
  return sum;
}

// Inside and outside: weights give the point back, and outside of a box the distance is that to the box.
TEST(TetLocator, FindsTheTetAndTheDistance) {
  const Vec3 size(0.3, 0.2, 0.4);
  const TetMesh mesh = make_box(size, {3, 2, 4});
  const TetLocator locator(mesh.vertices, mesh.tets);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  int outside = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3 p(uniform(random), uniform(random), uniform(random));
    const TetPoint at = locator.nearest(p);
    const double expected = (p.cwiseAbs() - size / 2).cwiseMax(0.0).norm();
    EXPECT_NEAR(at.distance, expected, 1e-14);
    EXPECT_NEAR(at.weights.sum(), 1, 1e-12);
    EXPECT_LE((point_of(mesh, at) - p).norm(), 1e-13);
    EXPECT_EQ(expected == 0, at.weights.minCoeff() >= 0);
    outside += expected > 0;
  }
  EXPECT_GT(outside, 100);
  EXPECT_LT(outside, 490);
}

TEST(TetLocator, OfEquallyNearTetsTakesTheFirst) {
  const TetMesh mesh = make_box(Vec3(1, 1, 1), {4, 4, 4});
  const TetLocator locator(mesh.vertices, mesh.tets);
  for (Index v = 0; v < mesh.vertex_count(); ++v) {
    Index first = 0;
    while ((mesh.tets.col(first).array() != v).all()) ++first;
    const TetPoint at = locator.nearest(mesh.vertices.col(v));
    EXPECT_LE(at.distance, 1e-15);
    if (at.distance > 0) continue;
    EXPECT_LE(at.tet, first) << "vertex " << v;
  }
}

}  // namespace
}  // namespace sinew
