#include "pinches.h"

#include <gtest/gtest.h>

#include "sinew/mesh/primitives.h"

namespace sinew::mesher {
namespace {

// The cells of a 2 x 2 x 2 box of edge 2 around the origin whose centres fulfil a condition.
template <class Condition>
TetMesh cells(const Condition& condition) {
  TetMesh mesh = make_box(Vec3::Constant(2), {2, 2, 2});
  Index kept = 0;
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    Vec3 centre = Vec3::Zero();
    for (int k = 0; k < 4; ++k) centre += mesh.vertices.col(mesh.tets(k, t)) / 4;
    if (condition(centre)) mesh.tets.col(kept++) = mesh.tets.col(t).eval();
  }
  mesh.tets.conservativeResize(4, kept);
  mesh.regions.resize(static_cast<std::size_t>(kept));
  return mesh;
}

TEST(Pinches, a_solid_has_none) {
  const Pinches whole = find_pinches(cells([](const Vec3&) { return true; }));
  EXPECT_EQ(whole.edges, 0);
  EXPECT_EQ(whole.vertices, 0);
}

TEST(Pinches, cubes_that_touch_along_an_edge) {
  const Pinches found = find_pinches(cells([](const Vec3& p) { return p.x() * p.y() > 0 && p.z() > 0; }));
  EXPECT_EQ(found.edges, 1);
  EXPECT_EQ(found.vertices, 0);
  EXPECT_EQ(found.place, Vec3(0, 0, 0.5));
}

TEST(Pinches, cubes_that_touch_in_a_corner) {
  const Pinches found =
      find_pinches(cells([](const Vec3& p) { return (p.array() > 0).all() || (p.array() < 0).all(); }));
  EXPECT_EQ(found.edges, 0);
  EXPECT_EQ(found.vertices, 1);
  EXPECT_EQ(found.place, Vec3(0, 0, 0));
}

}  // namespace
}  // namespace sinew::mesher
