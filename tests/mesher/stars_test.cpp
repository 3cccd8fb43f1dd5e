#include "stars.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/mesh/primitives.h"

namespace sinew::mesher {
namespace {

// Two regions, left and right, on 3^3 vertices.
TetMesh two_halves() {
  TetMesh mesh = make_box(Vec3::Ones(), {2, 2, 2});
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    double x = 0;
    for (const Index v : mesh.tets.col(t)) x += mesh.vertices(0, v);
    mesh.regions[at(t)] = x < 0 ? 1 : 2;
  }
  return mesh;
}

TEST(LeastSine, OfKnownTets) {
  const Vec3 o = Vec3::Zero(), x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  EXPECT_NEAR(least_sine(o, x, y, z), std::sqrt(2.0 / 3), 1e-15);  // at the edges of the slanted face: cosine 1/sqrt(3)
  EXPECT_NEAR(least_sine(o, y, x, z), -std::sqrt(2.0 / 3), 1e-15);
  EXPECT_EQ(least_sine(o, x, x, z), 0);
  EXPECT_EQ(least_sine(o, x, 2 * x, 3 * x), flat);
}

TEST(Stars, WriteBackWhatTheyWereMadeFrom) {
  const TetMesh mesh = two_halves();
  TetMesh again;
  Stars(mesh, {}, {}).write_to(again);
  EXPECT_EQ(again.vertices, mesh.vertices);
  EXPECT_EQ(again.tets, mesh.tets);
  EXPECT_EQ(again.regions, mesh.regions);
}

TEST(Stars, KnowBothSidesOfAFaceAndTheLabelsOfAVertex) {
  const TetMesh mesh = two_halves();
  const Stars stars(mesh, {}, {});
  int outside = 0, interface = 0;
  for (Index t = 0; t < stars.tet_count(); ++t) {
    for (std::size_t k = 0; k < 4; ++k) {
      const auto [p, q, r] = stars.face(t, k);
      const Index u = stars.across(t, p, q, r);
      EXPECT_GT(stars.quality(stars.tet(t)[k], p, q, r), 0);  // counter-clockwise from outside
      outside += u < 0;
      interface += u >= 0 && stars.on_surface(t, p, q, r);
      if (u < 0) continue;
      EXPECT_EQ(stars.across(u, r, q, p), t);
    }
  }
  EXPECT_EQ(outside, 48);    // 6 sides of 4 squares of 2 triangles
  EXPECT_EQ(interface, 16);  // one square of the same size, from both sides
  for (Index v = 0; v < stars.vertex_count(); ++v) {
    const Vec3 p = stars.x(v).cwiseAbs();
    const bool on_side = p.maxCoeff() > 0.4, on_interface = p.x() < 0.1;
    EXPECT_EQ(stars.labels(v).size(), 1u + on_side + on_interface) << v;
    EXPECT_EQ(stars.fixed(v), on_side && on_interface);
  }
}

TEST(Stars, ForgetWhatGivesWay) {
  const TetMesh mesh = make_box(Vec3::Ones(), {1, 1, 1});
  Stars stars(mesh, {}, {});
  Index corner = 0;
  while (stars.star(corner).size() > 1) ++corner;
  const Index t = stars.star(corner).front();
  stars.begin_attempt();
  stars.failed(t);
  EXPECT_TRUE(stars.tried_in_vain(t));
  stars.begin_attempt();
  stars.place(corner, stars.x(corner) * 1.1);
  EXPECT_FALSE(stars.tried_in_vain(t));
  stars.apply({.old = {t}, .fresh = {}});
  EXPECT_FALSE(stars.alive(t));
  TetMesh rest;
  stars.write_to(rest);
  EXPECT_EQ(rest.tet_count(), mesh.tet_count() - 1);
  EXPECT_EQ(rest.vertex_count(), mesh.vertex_count() - 1);
}

}  // namespace
}  // namespace sinew::mesher
