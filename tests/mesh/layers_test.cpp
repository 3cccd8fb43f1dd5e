#include "sinew/mesh/layers.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/mesh/primitives.h"

namespace sinew {
namespace {

// The share of the tets that have fewer layers than a count.
double below(const TetMesh& mesh, int count) {
  const std::vector<int> layers = tet_layers(mesh.tets, mesh.vertex_count());
  const auto few = std::count_if(layers.begin(), layers.end(), [&](int n) { return n < count; });
  return static_cast<double>(few) / static_cast<double>(layers.size());
}

TEST(Layers, OfSlabsAndDiscs) {
  for (int n = 1; n <= most_layers; ++n) {
    const TetMesh slab = make_box(Vec3(4, 4, 0.2 * n), {20, 20, n}), disc = make_cylinder(3, 0.2 * n, 0.2, Axis::y);
    for (const TetMesh* mesh : {&slab, &disc}) {
      EXPECT_LT(below(*mesh, n), 0.02) << n;
      if (n < most_layers) {
        EXPECT_EQ(below(*mesh, n + 1), 1) << n;
      }
    }
  }
}

TEST(Layers, CompactBodiesAreNotThin) {
  EXPECT_LT(below(make_box(Vec3(1, 1, 1), {6, 6, 6}), 6), 0.05);
  EXPECT_LT(below(make_box(Vec3(1, 1, 1), {16, 16, 16}), most_layers), 0.05);
  EXPECT_LT(below(make_sphere(1, 0.1), most_layers), 0.05);
  EXPECT_EQ(below(make_box(Vec3(1, 0.1, 0.1), {20, 2, 2}), 3), 1);  // a strip
}

// Two solids that share no vertex count for themselves, and so does a fin on a block beyond its root.
TEST(Layers, PlaceByPlace) {
  const TetMesh block = make_box(Vec3(1, 1, 1), {10, 10, 10});
  TetMesh fin = make_box(Vec3(3, 1, 0.1), {30, 10, 1});
  fin.vertices.colwise() += Vec3(2, 0, 0.05);
  TetMesh both;
  both.vertices.resize(3, block.vertex_count() + fin.vertex_count());
  both.vertices << block.vertices, fin.vertices;
  both.tets.resize(4, block.tet_count() + fin.tet_count());
  both.tets << block.tets, (fin.tets.array() + block.vertex_count()).matrix();
  for (Index v = block.vertex_count(); v < both.vertex_count(); ++v) {
    for (Index w = 0; w < block.vertex_count(); ++w) {
      if ((both.vertices.col(v) - both.vertices.col(w)).norm() > 1e-9) continue;
      std::replace(both.tets.data(), both.tets.data() + both.tets.size(), v, w);
    }
  }
  const std::vector<int> layers = tet_layers(both.tets, both.vertex_count());
  for (Index t = 0; t < both.tet_count(); ++t) {
    double x = 0;
    for (int k = 0; k < 4; ++k) x += both.vertices(0, both.tets(k, t)) / 4;
    if (x < 0) {
      EXPECT_GE(layers[t], 7) << x;
    } else if (x > 0.5 + 0.8) {
      EXPECT_EQ(layers[t], 1) << x;
    }
  }
}

}  // namespace
}  // namespace sinew
