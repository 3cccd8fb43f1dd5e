#include "improve.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/mesh/primitives.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/validate.h"

namespace sinew::mesher::improve_test {
namespace {

// Cuts all tets at the edge (a, b) in two, at the fraction `part` of it; returns the new vertex.
Index split(TetMesh& mesh, Index a, Index b, double part) {
  const Index m = mesh.vertex_count();
  mesh.vertices.conservativeResize(3, m + 1);
  mesh.vertices.col(m) = (1 - part) * mesh.vertices.col(a) + part * mesh.vertices.col(b);
  for (Index t = 0, end = mesh.tet_count(); t < end; ++t) {
    int at_a = -1, at_b = -1;
    for (int k = 0; k < 4; ++k) {
      if (mesh.tets(k, t) == a) at_a = k;
      if (mesh.tets(k, t) == b) at_b = k;
    }
    if (at_a < 0 || at_b < 0) continue;
    const Index fresh = mesh.tet_count();
    mesh.tets.conservativeResize(4, fresh + 1);
    mesh.tets.col(fresh) = mesh.tets.col(t);
    mesh.tets(at_b, t) = m;
    mesh.tets(at_a, fresh) = m;
    mesh.regions.push_back(mesh.regions[static_cast<std::size_t>(t)]);
  }
  return m;
}

Index vertex_at(const TetMesh& mesh, const Vec3& p) {
  Index v = 0;
  (mesh.vertices.colwise() - p).colwise().squaredNorm().minCoeff(&v);
  return v;
}

TetMesh box(const Vec3& size, const std::array<Index, 3>& cells) {
  TetMesh mesh = make_box(size, cells);
  std::fill(mesh.regions.begin(), mesh.regions.end(), 1);
  return mesh;
}

class Collapse : public testing::Test {
 protected:
  TetMesh cube = box(Vec3::Ones(), {4, 4, 4});
  void expect_mended(TetMesh mesh, const ImproveOptions& options) const {
    const MeshStatistics before = statistics(mesh);
    ASSERT_LT(before.dihedral_min, 1);
    improve(mesh, options);
    validate(mesh, "mesh");
    const MeshStatistics after = statistics(mesh);
    EXPECT_EQ(mesh.vertex_count(), cube.vertex_count());
    EXPECT_EQ(mesh.tet_count(), cube.tet_count());
    EXPECT_GE(after.dihedral_min, options.min_dihedral);
    EXPECT_NEAR(after.volume, 1, 1e-12);
    EXPECT_NEAR(after.surface.area, 6, 1e-12);
  }
};

TEST_F(Collapse, OfAShortEdgeInside) {
  TetMesh mesh = cube;
  split(mesh, vertex_at(mesh, Vec3::Zero()), vertex_at(mesh, Vec3(0.25, 0, 0)), 1e-3);
  expect_mended(std::move(mesh), {});
}

TEST_F(Collapse, OfAShortEdgeOfAFlatSurface) {
  TetMesh mesh = cube;
  split(mesh, vertex_at(mesh, Vec3(0.5, 0, 0)), vertex_at(mesh, Vec3(0.5, 0.25, 0)), 1e-3);
  expect_mended(std::move(mesh), {.deviation = 1e-6});
}

TEST_F(Collapse, OfAShortEdgeOfASharpLine) {
  TetMesh mesh = cube;
  const Index a = vertex_at(mesh, Vec3(0.5, 0.5, 0)), b = vertex_at(mesh, Vec3(0.5, 0.5, 0.25));
  const Index c = vertex_at(mesh, Vec3(0.5, 0.5, -0.25));
  const Index m = split(mesh, a, b, 1e-3);
  std::vector<bool> fixed(static_cast<std::size_t>(mesh.vertex_count()), false);
  for (const Index v : {a, b, c, m}) fixed[static_cast<std::size_t>(v)] = true;
  expect_mended(mesh, {.deviation = 1e-6, .fixed = fixed, .sharp = {{c, a}, {a, m}, {m, b}}});
}

// A line on a flat face, such as the edge of an interface: off it by more than the deviation the vertex stays.
TEST_F(Collapse, LeavesSharpLinesAlone) {
  const auto mended = [&](double off) {
    TetMesh mesh = cube;
    const Index a = vertex_at(mesh, Vec3(0.5, 0, 0)), b = vertex_at(mesh, Vec3(0.5, 0, 0.25));
    const Index c = vertex_at(mesh, Vec3(0.5, 0, -0.25));
    const Index m = split(mesh, a, b, 1e-3);
    mesh.vertices(1, m) += off;
    std::vector<bool> fixed(static_cast<std::size_t>(mesh.vertex_count()), false);
    for (const Index v : {a, b, c, m}) fixed[static_cast<std::size_t>(v)] = true;
    improve(mesh, {.deviation = 1e-6, .fixed = fixed, .sharp = {{c, a}, {a, m}, {m, b}}});
    return mesh.vertex_count() == cube.vertex_count();
  };
  EXPECT_TRUE(mended(1e-8));
  EXPECT_FALSE(mended(1e-4));
}

// Where the surface is not flat the vertex would take a part of the volume with it.
TEST_F(Collapse, LeavesTheShapeAlone) {
  TetMesh mesh = cube;
  const Index m = split(mesh, vertex_at(mesh, Vec3(0.5, 0, 0)), vertex_at(mesh, Vec3(0.5, 0.25, 0)), 1e-2);
  mesh.vertices(0, m) += 1e-3;  // a bump
  const double volume = statistics(mesh).volume;
  improve(mesh, {.deviation = 1e-5});
  EXPECT_NEAR(statistics(mesh).volume, volume, 1e-12);
}

// The short edge between the bottoms of two dents joins two surfaces: collapsed, it would pinch the solid.
TEST_F(Collapse, NeverPinchesTheSolid) {
  TetMesh solid = box(Vec3::Ones(), {4, 4, 5});
  const Index top = vertex_at(solid, Vec3(0, 0, 0.1)), bottom = vertex_at(solid, Vec3(0, 0, -0.1));
  std::vector<Index> gone;
  for (const double z : {-0.5, -0.3, 0.3, 0.5}) gone.push_back(vertex_at(solid, Vec3(0, 0, z)));
  Index kept = 0;
  for (Index t = 0; t < solid.tet_count(); ++t) {
    const Eigen::Vector4i tet = solid.tets.col(t);
    if (std::any_of(gone.begin(), gone.end(), [&](Index v) { return (tet.array() == v).any(); })) continue;
    solid.tets.col(kept++) = tet;
  }
  solid.tets.conservativeResize(4, kept);
  solid.regions.resize(static_cast<std::size_t>(kept));
  solid.vertices(2, top) = 0.002;
  solid.vertices(2, bottom) = -0.002;
  const MeshStatistics before = statistics(solid);
  ASSERT_EQ(before.surface.euler_characteristic(), 2);
  improve(solid, {.deviation = 0.1});
  const MeshStatistics after = statistics(solid);
  EXPECT_EQ(after.surface.euler_characteristic(), 2);
  EXPECT_EQ(after.surface.nonmanifold_edges, 0);
  const Points& x = solid.vertices;  // both bottoms are still there
  EXPECT_LT((x.colwise() - Vec3(0, 0, 0.002)).colwise().norm().minCoeff(), 1e-12);
  EXPECT_LT((x.colwise() - Vec3(0, 0, -0.002)).colwise().norm().minCoeff(), 1e-12);
}

}  // namespace
}  // namespace sinew::mesher::improve_test
