#include "sinew/formats/tetgen.h"

#include "support/mesh_files.h"

#include "sinew/formats/read.h"

namespace sinew {
namespace {

using testing::ElementsAre;

class Tetgen : public test::MeshTest {
 protected:
  // Writes the two files and reads them by each name.
  void read_both(const std::string& nodes, const std::string& tets) {
    file("pair.1.node", nodes);
    file("pair.1.ele", tets);
    for (const char* name : {"pair.1.node", "pair.1.ele"}) {
      SCOPED_TRACE(name);
      const TetMesh mesh = read_tet_mesh(path(name));
      EXPECT_EQ(mesh.vertices, test::two_tets().vertices);
      EXPECT_EQ(mesh.tets, test::two_tets().tets);
      EXPECT_THAT(mesh.regions, ElementsAre(0, 0));
      EXPECT_TRUE(mesh.groups.empty());
    }
  }
};

TEST_F(Tetgen, CountsFromZeroAndFromOne) {
  read_both("# nodes\n5 3 0 0\n0 0 0 0\n1 1 0 0 # one\n2 0 1 0\n3 0 0 1\n4 1 1 1\n# end",
            "2 4 0\n\n0 0 1 2 3\n1 4 2 1 3");
  read_both("5 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n", "2\n1 1 2 3 4\n2 5 3 2 4\n");
  read_both("5 3 2 1\n1 0 0 0 7 7 1\n2 1 0 0 7 7 1\n3 0 1 0 7 7 0\n4 0 0 1 7 7 -1\n5 1 1 1 7 7 1\n",
            "2 4 0\n1 1 2 3 4\n2 5 3 2 4\n");
}

TEST_F(Tetgen, AttributesAndFaces) {
  file("a.node", "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n");
  file("a.ele", "2 4 2\n0 0 1 2 3 -4 0.5\n1 4 2 1 3 2.0 1.5\n");
  file("a.face", "3 1\n0 0 1 2 5\n1 0 1 3 5 0 -1\n2 4 2 3 -1\n");
  const TetMesh mesh = read_tet_mesh(path("a.node"));
  EXPECT_THAT(mesh.regions, ElementsAre(-4, 2));
  EXPECT_THAT(mesh.cell_fields.at("attribute1"), ElementsAre(-4, 2));
  EXPECT_THAT(mesh.cell_fields.at("attribute2"), ElementsAre(0.5, 1.5));
  ASSERT_EQ(mesh.groups.size(), 4u);
  EXPECT_EQ(mesh.groups[0].id, -1);
  EXPECT_EQ(mesh.groups[0].triangles, Triangles(Eigen::Vector3i(4, 2, 3)));
  EXPECT_EQ(mesh.groups[1].triangles.cols(), 2);
  EXPECT_EQ(std::pair(mesh.groups[3].dim, mesh.groups[3].id), std::pair(3, 2));

  file("a.ele", "2 4 1\n0 0 1 2 3 0.25\n1 4 2 1 3 2\n");  // no region
  const TetMesh other = read_tet_mesh(path("a.node"));
  EXPECT_THAT(other.regions, ElementsAre(0, 0));
  EXPECT_THAT(other.cell_fields.at("attribute1"), ElementsAre(0.25, 2));
}

TEST_F(Tetgen, SecondOrderKeepsCorners) {
  std::string nodes = "10 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
  for (int k = 4; k < 10; ++k) nodes += std::to_string(k) + " 9 9 9\n";
  file("p2.node", nodes);
  file("p2.ele", "1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n");
  file("p2.face", "1 1\n0 0 1 2 4 5 6 3\n");
  const TetMesh mesh = read_tet_mesh(path("p2.ele"));
  EXPECT_EQ(mesh.tets, Tets(Eigen::Vector4i(0, 1, 2, 3)));
  EXPECT_EQ(mesh.groups.at(0).id, 3);
  EXPECT_EQ(warnings.size(), 2u);  // of elements of second order, and of nodes that are left out
}

}  // namespace
}  // namespace sinew
