#include "sinew/formats/gmsh.h"

#include "support/mesh_files.h"

#include "sinew/formats/read.h"
#include "sinew/formats/write_msh.h"

namespace sinew {
namespace {

using test::BinaryText;
using test::error_of;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class Gmsh : public test::MeshTest {
 protected:
  std::string error(const std::string& text) {
    const std::string at = file("bad.msh", text);
    return error_of([&] { read_tet_mesh(at); }, at);
  }
};

// Two tets in physical volumes 7 ("soft") and 9, one triangle in physical surface 3 ("top"); sparse node tags.
const char* ascii_22 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n2 3 \"top\"\n3 7 \"soft part\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n10 0 0 0\n20 1 0 0\n1000000 0 1 0\n-4 0 0 1\n5 1 1 1\n$EndNodes\n"
    "$Elements\n5\n1 15 2 0 1 10\n2 1 2 0 1 10 20\n3 2 2 3 5 10 20 1000000\n"
    "4 4 2 7 1 10 20 1000000 -4\n5 4 3 9 2 0 5 1000000 20 -4\n$EndElements\n";

const char* ascii_41 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n2 3 \"top\"\n3 7 \"soft part\"\n$EndPhysicalNames\n"
    "$Entities\n1 0 1 2\n1 0 0 0 0\n5 0 0 0 1 1 0 1 3 0\n1 0 0 0 1 1 1 1 7 1 5\n2 0 0 0 1 1 1 2 -9 8 1 "
    "-5\n$EndEntities\n"
    "$Nodes\n2 5 -4 1000000\n2 5 1 3\n10\n20\n1000000\n0 0 0 0.5 0.5\n1 0 0 0 0\n0 1 0 1 1\n3 1 0 2\n-4\n5\n0 0 1\n1 1 "
    "1\n"
    "$EndNodes\n"
    "$Elements\n4 4 1 4\n0 1 15 1\n1 10\n2 5 2 1\n2 10 20 1000000\n3 1 4 1\n3 10 20 1000000 -4\n3 2 4 1\n4 5 1000000 "
    "20 -4\n"
    "$EndElements\n";

const char* ascii_40 =
    "$MeshFormat\n4 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n2 3 \"top\"\n3 7 \"soft part\"\n$EndPhysicalNames\n"
    "$Entities\n0 0 1 2\n5 0 0 0 1 1 0 1 3 0\n1 0 0 0 1 1 1 1 7 1 5\n2 0 0 0 1 1 1 1 9 1 5\n$EndEntities\n"
    "$Nodes\n1 5\n1 3 0 5\n10 0 0 0\n20 1 0 0\n1000000 0 1 0\n-4 0 0 1\n5 1 1 1\n$EndNodes\n"
    "$Elements\n3 3\n5 2 2 1\n2 10 20 1000000\n1 3 4 1\n3 10 20 1000000 -4\n2 3 4 1\n4 5 1000000 20 -4\n$EndElements\n";

std::string binary_22(bool big) {
  BinaryText out(big);
  out.words("$MeshFormat\n2.2 1 8\n").add(1).words("\n$EndMeshFormat\n");
  out.words("$PhysicalNames\n2\n2 3 \"top\"\n3 7 \"soft part\"\n$EndPhysicalNames\n$Nodes\n5\n");
  const double x[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  const int tags[5] = {10, 20, 1000000, -4, 5};
  for (int v = 0; v < 5; ++v) out.add(tags[v]).add(x[v][0]).add(x[v][1]).add(x[v][2]);
  out.words("\n$EndNodes\n$Elements\n3\n");
  for (const int value : {2, 1, 2, 3, 3, 5, 10, 20, 1000000}) out.add(value);
  for (const int value : {4, 2, 2, 4, 7, 1, 10, 20, 1000000, -4, 5, 9, 2, 5, 1000000, 20, -4}) out.add(value);
  return out.words("\n$EndElements\n").text;
}

std::string binary_41(bool big) {
  BinaryText out(big);
  const auto sizes = [&](std::initializer_list<std::int64_t> values) {
    for (const std::int64_t value : values) out.add(value);
  };
  const auto ints = [&](std::initializer_list<std::int32_t> values) {
    for (const std::int32_t value : values) out.add(value);
  };
  const auto reals = [&](std::initializer_list<double> values) {
    for (const double value : values) out.add(value);
  };
  out.words("$MeshFormat\n4.1 1 8\n").add(1).words("\n$EndMeshFormat\n");
  out.words("$PhysicalNames\n2\n2 3 \"top\"\n3 7 \"soft part\"\n$EndPhysicalNames\n$Entities\n");
  sizes({1, 0, 1, 2});
  ints({1}), reals({0, 0, 0}), sizes({0});
  ints({5}), reals({0, 0, 0, 1, 1, 0}), sizes({1}), ints({3}), sizes({0});
  ints({1}), reals({0, 0, 0, 1, 1, 1}), sizes({1}), ints({7}), sizes({1}), ints({5});
  ints({2}), reals({0, 0, 0, 1, 1, 1}), sizes({1}), ints({9}), sizes({1}), ints({5});
  out.words("\n$EndEntities\n$Nodes\n");
  sizes({1, 5, -4, 1000000}), ints({3, 1, 0}), sizes({5, 10, 20, 1000000, -4, 5});
  reals({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1});
  out.words("\n$EndNodes\n$Elements\n");
  sizes({3, 3, 1, 3});
  ints({2, 5, 2}), sizes({1, 1, 10, 20, 1000000});
  ints({3, 1, 4}), sizes({1, 2, 10, 20, 1000000, -4});
  ints({3, 2, 4}), sizes({1, 3, 5, 1000000, 20, -4});
  return out.words("\n$EndElements\n").text;
}

void expect_the_two_tets(const TetMesh& mesh) {
  const TetMesh expected = test::two_tets();
  EXPECT_EQ(mesh.vertices, expected.vertices);
  EXPECT_EQ(mesh.tets, expected.tets);
  EXPECT_THAT(mesh.regions, ElementsAre(7, 9));
  ASSERT_GE(mesh.groups.size(), 3u);
  const auto find = [&](int dim, int id) -> const ElementGroup& {
    for (const ElementGroup& group : mesh.groups) {
      if (group.dim == dim && group.id == id) return group;
    }
    throw std::runtime_error("no such group");
  };
  EXPECT_EQ(find(2, 3).name, "top");
  ASSERT_EQ(find(2, 3).triangles.cols(), 1);
  EXPECT_EQ(find(2, 3).triangles.col(0), Eigen::Vector3i(0, 1, 2));
  EXPECT_EQ(find(3, 7).name, "soft part");
  EXPECT_THAT(find(3, 7).tets, ElementsAre(0));
  EXPECT_EQ(find(3, 9).name, "");
  EXPECT_THAT(find(3, 9).tets, ElementsAre(1));
}

TEST_F(Gmsh, QuadranglesBecomeTwoTriangles) {
  const std::string at = file("quad.msh",
                              "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n"
                              "$EndNodes\n$Elements\n1\n1 3 2 5 1 1 2 3 4\n$EndElements\n");
  Triangles expected(3, 2);
  expected.transpose() << 0, 1, 2, 0, 2, 3;
  EXPECT_EQ(read_tri_mesh(at).triangles, expected);
  EXPECT_EQ(read_mesh_file(at).volume.groups.at(0).triangles, expected);
}

TEST_F(Gmsh, ReadsEveryVersionAndEncoding) {
  const std::pair<const char*, std::string> files[] = {{"2.2 ASCII", ascii_22},
                                                       {"4.0 ASCII", ascii_40},
                                                       {"4.1 ASCII", ascii_41},
                                                       {"2.2 little-endian", binary_22(false)},
                                                       {"2.2 big-endian", binary_22(true)},
                                                       {"4.1 little-endian", binary_41(false)},
                                                       {"4.1 big-endian", binary_41(true)}};
  for (const auto& [name, text] : files) {
    SCOPED_TRACE(name);
    expect_the_two_tets(read_tet_mesh(file("two.msh", text)));
  }
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(Gmsh, ReadsWindowsLineEnds) {
  std::string text;
  for (const char c : std::string(ascii_41)) text += c == '\n' ? "\r\n" : std::string(1, c);
  expect_the_two_tets(read_tet_mesh(file("two.msh", text)));
}

TEST_F(Gmsh, AnEntityInTwoPhysicalGroupsIsInBoth) {
  const TetMesh mesh = read_tet_mesh(file("two.msh", ascii_41));
  ASSERT_THAT(mesh.groups, SizeIs(4));  // 2:3, 3:7, 3:8, 3:9
  EXPECT_EQ(mesh.groups[2].id, 8);
  EXPECT_THAT(mesh.groups[2].tets, ElementsAre(1));
}

TEST_F(Gmsh, EntitiesAreGroupsWhereNothingIsPhysical) {
  const TetMesh mesh =
      read_tet_mesh(file("entities.msh",
                         "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
                         "$EndNodes\n$Elements\n2\n1 2 2 0 6 1 2 3\n2 4 2 0 5 1 2 3 4\n$EndElements\n"));
  EXPECT_THAT(mesh.regions, ElementsAre(5));
  ASSERT_THAT(mesh.groups, SizeIs(2));
  EXPECT_EQ(mesh.groups[0].dim * 10 + mesh.groups[0].id, 26);
  EXPECT_EQ(mesh.groups[1].dim * 10 + mesh.groups[1].id, 35);
}

TEST_F(Gmsh, TetsRepeatedInTwoPhysicalGroupsAreOne) {
  const std::string head =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";
  const TetMesh twice =
      read_tet_mesh(file("a.msh", head + "$Elements\n2\n1 4 2 1 5 1 2 3 4\n1 4 2 2 5 1 2 3 4\n$EndElements\n"));
  EXPECT_EQ(twice.tet_count(), 1);
  EXPECT_THAT(twice.regions, ElementsAre(1));
  ASSERT_THAT(twice.groups, SizeIs(2));
  EXPECT_THAT(twice.groups[1].tets, ElementsAre(0));
  // Within one group it is a duplicate, which the reader leaves to validate().
  const TetMesh same = read_tet_mesh(file("b.msh", head + "$Elements\n3\n1 4 2 1 5 1 2 3 4\n2 4 2 1 5 1 2 3 4\n"
                                                          "3 4 2 2 5 1 2 3 4\n$EndElements\n"));
  EXPECT_EQ(same.tet_count(), 2);
}

TEST_F(Gmsh, CornersOfSecondOrderTets) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n";
  for (int v = 1; v <= 10; ++v) text += fmt::format("{} {} {} {}\n", v, v == 2 ? 1 : 0, v == 3 ? 1 : 0, v == 4 ? 1 : 0);
  const std::string at =
      file("p2.msh", text + "$EndNodes\n$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n");
  const TetMesh mesh = read_tet_mesh(at);
  EXPECT_EQ(mesh.vertex_count(), 4);
  EXPECT_EQ(mesh.tets.col(0), Eigen::Vector4i(0, 1, 2, 3));
  EXPECT_THAT(warnings,
              ElementsAre(at + ": 1 second-order tets were read by their corners only; export the mesh with order 1 "
                               "to silence this",
                          at + ": 6 nodes between corners were left out; vertices are numbered without them, 0 to 3"));
}

// Nodes between corners are in front of the corners, of triangles and of lines, too; a node that is in no element
// stays.
TEST_F(Gmsh, NodesBetweenCornersAreLeftOut) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"face\"\n$EndPhysicalNames\n";
  text += "$Nodes\n12\n";
  for (int v = 1; v <= 6; ++v) text += fmt::format("{} 0.5 0.5 0.5\n", v);
  text += "7 9 9 9\n8 0 0 0\n9 1 0 0\n10 0 1 0\n11 0 0 1\n12 0.5 0 0\n$EndNodes\n";
  text += "$Elements\n3\n1 8 2 0 1 8 9 12\n2 9 2 7 1 8 10 9 3 2 1\n3 11 2 0 1 8 9 10 11 1 2 3 4 5 6\n$EndElements\n";
  const TetMesh mesh = read_tet_mesh(file("p2.msh", text));
  ASSERT_EQ(mesh.vertex_count(), 5);
  EXPECT_EQ(mesh.vertices.col(0), Vec3(9, 9, 9));
  EXPECT_EQ(mesh.tets.col(0), Eigen::Vector4i(1, 2, 3, 4));
  EXPECT_EQ(mesh.vertices.col(4), Vec3(0, 0, 1));
  ASSERT_FALSE(mesh.groups.empty());
  EXPECT_EQ(mesh.groups[0].triangles.col(0), Eigen::Vector3i(1, 3, 2));
}

TEST_F(Gmsh, SectionsBeforeTheFormat) {
  const std::string comments = "$Comments\nmade by hand, $Nodes and all\n$EndComments\n";
  EXPECT_EQ(read_tet_mesh(file("c.msh", comments + ascii_22)).tet_count(),
            read_tet_mesh(file("plain.msh", ascii_22)).tet_count());
  EXPECT_THAT([&] { read_tet_mesh(file("v1.msh", comments + "$NOD\n0\n$ENDNOD\n")); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("version 1 files must be saved again")));
}

TEST_F(Gmsh, SurfaceOfTetsOrTriangles) {
  const TriMesh boundary = read_tri_mesh(file("two.msh", ascii_22));
  EXPECT_EQ(boundary.triangles.cols(), 6);
  EXPECT_EQ(boundary.vertices.cols(), 5);
  const std::string flat =
      file("flat.msh",
           "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 9 9 9\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
           "$Elements\n1\n1 2 0 2 3 4\n$EndElements\n");
  const TriMesh surface = read_tri_mesh(flat);
  EXPECT_EQ(surface.vertices.cols(), 3);
  EXPECT_EQ(surface.triangles.col(0), Eigen::Vector3i(0, 1, 2));
  EXPECT_EQ(error_of([&] { read_tet_mesh(flat); }, flat),
            "FILE: found 1 triangles and no tets: this is a surface, but a body needs tets; fill it first (with "
            "sinew-mesh, Gmsh "
            "or TetGen), or use it as an obstacle");
}

TEST_F(Gmsh, RoundTripKeepsEveryBit) {
  TetMesh mesh = test::two_tets();
  mesh.vertices(0, 1) = 1.0 / 3;
  mesh.vertices(1, 2) = 6.02214076e23;
  mesh.vertices(2, 3) = 4.9e-324;
  mesh.regions = {7, 9};
  mesh.groups.resize(3);
  mesh.groups[0] = {2, 3, "top", Triangles(3, 1), {}};
  mesh.groups[0].triangles << 0, 1, 2;
  mesh.groups[1] = {3, 7, "soft part", {}, {0, 1}};
  mesh.groups[2] = {3, 9, "", {}, {1}};
  write_msh(path("out.msh"), mesh);
  const TetMesh back = read_tet_mesh(path("out.msh"));
  EXPECT_EQ(back.vertices, mesh.vertices);
  EXPECT_EQ(back.tets, mesh.tets);
  EXPECT_EQ(back.regions, mesh.regions);
  ASSERT_EQ(back.groups.size(), 3u);
  for (int g = 0; g < 3; ++g) {
    EXPECT_EQ(back.groups[g].dim, mesh.groups[g].dim);
    EXPECT_EQ(back.groups[g].id, mesh.groups[g].id);
    EXPECT_EQ(back.groups[g].name, mesh.groups[g].name);
    EXPECT_EQ(back.groups[g].tets, mesh.groups[g].tets);
    EXPECT_EQ(back.groups[g].triangles, mesh.groups[g].triangles);
  }
  EXPECT_EQ(back.groups[0].triangles.cols(), 1);
}

TEST_F(Gmsh, RegionsWithoutGroupsSurviveTheRoundTrip) {
  TetMesh mesh = test::two_tets();
  mesh.regions = {4, 0};
  write_msh(path("out.msh"), mesh);
  EXPECT_THAT(read_tet_mesh(path("out.msh")).regions, ElementsAre(4, 0));
}

TEST_F(Gmsh, ErrorsNameFileLineAndRemedy) {
  const std::string head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
  const std::string nodes = head + "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";
  EXPECT_EQ(error_of([] { read_tet_mesh("/nowhere/a.msh"); }),
            "cannot open '/nowhere/a.msh': no such file; check the path");
  EXPECT_EQ(error_of([&] { read_tet_mesh("/tmp"); }), "cannot read '/tmp': it is a folder, expected a file");
  EXPECT_EQ(
      error("solid cube\n"),
      "FILE:1: expected $MeshFormat at the start of a Gmsh file; version 1 files must be saved again as version 4.1");
  EXPECT_EQ(error("$MeshFormat\n3.0 0 8\n$EndMeshFormat\n"),
            "FILE:2: found .msh version '3.0', expected 2.2, 4.0 or 4.1; save again with: gmsh -0 -format msh41");
  EXPECT_EQ(error("$MeshFormat\n2.2 2 8\n"), "FILE:2: found file type 2, expected 0 (ASCII) or 1 (binary)");
  EXPECT_EQ(error("$MeshFormat\n2.2 0 4\n"), "FILE:2: found data size 4, expected 8");
  EXPECT_EQ(error(head), "FILE: found no $Nodes section; the file is truncated or not a mesh");
  EXPECT_EQ(error(nodes), "FILE: found no $Elements section; the file is truncated or not a mesh");
  EXPECT_EQ(error(head + "Nodes\n"), "FILE:4: found 'Nodes', expected a section such as $Nodes");
  EXPECT_EQ(error(head + "$Nodes\n1000000000000\n"),
            "FILE:5: found a count of 1000000000000 nodes, but only 1 bytes are left in the file; it is truncated or "
            "damaged");
  EXPECT_EQ(error(head + "$Nodes\n-1\n"), "FILE:5: found a count of -1 nodes, expected 0 or more");
  EXPECT_EQ(error(head + "$Nodes\n1\n1 0 zero 0\n"), "FILE:6: found 'zero', expected a node's coordinate (a number)");
  EXPECT_EQ(error(head + "$Nodes\n2\n1 0 0 0 \n2 0 0 \n\n"),
            "FILE:9: the file ends before a node's coordinate; it is truncated, copy or export it again");
  EXPECT_EQ(error(head + "$Nodes\n2\n1 0 0 0\n1 0 0 0\n$EndNodes\n"),
            "FILE:7: node tag 1 occurs twice; number the nodes uniquely");
  EXPECT_EQ(error(head + "$Nodes\n1\n1 0 0 0\n$EndElements\n"), "FILE:7: found '$EndElements', expected $EndNodes");
  EXPECT_EQ(error(head + "$Comments\nhello\n"),
            "FILE:4: section $Comments is not closed by $EndComments; the file is truncated");
  EXPECT_EQ(error(head + "$Elements\n0\n$EndElements\n"), "FILE:4: found $Elements before $Nodes, expected it after");
  EXPECT_EQ(error(nodes + "$Elements\n1\n1 4 0 1 2 3 8\n$EndElements\n"),
            "FILE:13: an element of tets names node 8, which is not in $Nodes");
  EXPECT_EQ(
      error(nodes + "$Elements\n1\n1 5 0 1 2 3 4 1 2 3 4\n$EndElements\n"),
      "FILE:13: found hexahedra (element type 5), expected tets (type 4); mesh the volume with tets, in Gmsh without "
      "Recombine and transfinite volumes");
  EXPECT_EQ(error(nodes + "$Elements\n1\n1 77 0 1 2 3 4\n$EndElements\n"),
            "FILE:13: found element type 77, which is not known; expected tets (type 4)");
  EXPECT_EQ(error(nodes + "$Elements\n0\n$EndElements\n"), "FILE: found no tets, expected a volume mesh");
  EXPECT_EQ(error(head + "$PhysicalNames\n1\n3 1 rubber\n$EndPhysicalNames\n"),
            "FILE:6: found ' rubber', expected the name of physical group 1 in double quotes");
  EXPECT_EQ(error("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PartitionedEntities\n"),
            "FILE:4: found $PartitionedEntities: partitioned meshes are not read; in Gmsh unpartition the mesh and "
            "save again");
  std::string mark = "$MeshFormat\n2.2 1 8\n";
  EXPECT_EQ(error(mark + std::string("\2\0\0\0", 4)),
            "FILE: byte 20: found byte-order mark 2, expected 1; the file is damaged");
  EXPECT_EQ(error(mark + std::string("\1\0", 2)),
            "FILE: byte 20: the file ends inside the byte-order mark; it is truncated, copy or export it again");
}

}  // namespace
}  // namespace sinew
