#include "sinew/mesh/surface.h"

#include <set>

#include "support/mesh_files.h"

#include "sinew/mesh/primitives.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

using testing::ElementsAre;

TEST(Surface, TwoTets) {
  const Tets tets = test::two_tets().tets;
  const Triangles triangles = boundary_triangles(tets);
  Triangles expected(3, 6);  // in the order of tets and local faces; 1 2 3 is shared
  expected.transpose() << 0, 3, 2, 0, 1, 3, 0, 2, 1, 4, 3, 1, 4, 2, 3, 4, 1, 2;
  EXPECT_EQ(triangles, expected);
  const Tets neighbours = tet_neighbours(tets);
  EXPECT_EQ(neighbours.col(0), Eigen::Vector4i(1, -1, -1, -1));
  EXPECT_EQ(neighbours.col(1), Eigen::Vector4i(0, -1, -1, -1));
  Edges edges(2, 9);
  edges.transpose() << 0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 1, 4, 2, 3, 2, 4, 3, 4;
  EXPECT_EQ(unique_edges(tets), edges);
  EXPECT_EQ(unique_edges(triangles), edges);
  EXPECT_THAT(used_vertices(tets), ElementsAre(0, 1, 2, 3, 4));
  const Incidence around = vertex_tets(tets, 6);
  EXPECT_THAT(around.offsets, ElementsAre(0, 1, 3, 5, 7, 8, 8));
  EXPECT_THAT(around.items, ElementsAre(0, 0, 1, 0, 1, 0, 1, 1));
}

TEST(Surface, EmptyMeshes) {
  EXPECT_EQ(boundary_triangles(Tets(4, 0)).cols(), 0);
  EXPECT_EQ(unique_edges(Tets(4, 0)).cols(), 0);
  EXPECT_EQ(connected_components(Tets(4, 0)).count, 0);
}

// Every boundary face against a brute-force count, and outward orientation by the divergence theorem.
TEST(Surface, MatchesBruteForce) {
  const TetMesh mesh = make_sphere(1, 0.3);
  std::map<std::set<Index>, int> count;
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    for (const auto& f : tet_faces) ++count[{mesh.tets(f[0], t), mesh.tets(f[1], t), mesh.tets(f[2], t)}];
  }
  const Triangles triangles = boundary_triangles(mesh.tets);
  Index single = 0;
  for (const auto& [face, times] : count) single += times == 1;
  EXPECT_EQ(triangles.cols(), single);
  for (Eigen::Index f = 0; f < triangles.cols(); ++f)
    EXPECT_EQ((count[{triangles(0, f), triangles(1, f), triangles(2, f)}]), 1);
  EXPECT_NEAR(statistics(TriMesh{mesh.vertices, triangles}).volume, statistics(mesh).volume, 1e-12);
  const Tets neighbours = tet_neighbours(mesh.tets);
  EXPECT_EQ((neighbours.array() < 0).count(), triangles.cols());
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    for (int i = 0; i < 4; ++i) {
      const Index other = neighbours(i, t);
      EXPECT_TRUE(other < 0 || (neighbours.col(other).array() == t).any());
    }
  }
}

TEST(Surface, Components) {
  Tets tets(4, 4);
  tets.transpose() << 8, 9, 10, 11, 0, 1, 2, 3, 3, 4, 5, 6, 11, 12, 13, 14;
  const Components components = connected_components(tets);
  EXPECT_EQ(components.count, 2);
  EXPECT_THAT(components.labels, ElementsAre(0, 1, 1, 0));
}

TEST(Surface, CompactedDropsUnusedVertices) {
  Triangles triangles(3, 1);
  triangles << 4, 1, 3;
  const TriMesh mesh = compacted(test::two_tets().vertices, triangles);
  EXPECT_EQ(mesh.vertices.cols(), 3);
  EXPECT_EQ(mesh.triangles.col(0), Eigen::Vector3i(2, 0, 1));
  EXPECT_EQ(mesh.vertices.col(2), Vec3(1, 1, 1));
}

TEST(Quality, RegularAndFlatTets) {
  Points x(3, 4);
  x.transpose() << 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1;
  Tets tet(4, 1);
  tet << 0, 1, 2, 3;
  EXPECT_NEAR(tet_quality(x, tet, 0), 1, 1e-15);
  EXPECT_NEAR(tet_volume(x, tet, 0), -8.0 / 3, 1e-15);
  tet << 0, 2, 1, 3;
  EXPECT_NEAR(tet_volume(x, tet, 0), 8.0 / 3, 1e-15);
  for (const double angle : tet_dihedral_angles(x, tet, 0)) EXPECT_NEAR(angle, std::acos(1.0 / 3), 1e-15);
  tet << 0, 1, 2, 2;
  EXPECT_EQ(tet_quality(x, tet, 0), 0);
}

TEST(Quality, DihedralAnglesBelongToTheirEdges) {
  Tets tet(4, 1);
  tet << 0, 1, 2, 3;  // the corner tet: right angles at the edges from the corner 0
  const auto angles = tet_dihedral_angles(test::two_tets().vertices, tet, 0);
  for (int e = 0; e < 6; ++e)
    EXPECT_NEAR(angles[e], e < 3 ? std::acos(0.0) : std::acos(std::sqrt(1.0 / 3)), 1e-15) << e;
}

TEST(Quality, NonManifoldAndBoundaryEdges) {
  TriMesh mesh;
  mesh.vertices = test::two_tets().vertices;
  mesh.triangles.resize(3, 3);
  mesh.triangles.transpose() << 0, 1, 2, 1, 0, 3, 0, 1, 4;
  const SurfaceStatistics s = statistics(mesh);
  EXPECT_EQ(s.nonmanifold_edges, 1);
  EXPECT_EQ(s.boundary_edges, 6);
  EXPECT_EQ(s.edges, 7);
}

}  // namespace
}  // namespace sinew
