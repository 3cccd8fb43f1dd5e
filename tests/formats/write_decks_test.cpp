// Meshes written as .inp, .unv and .bdf, and what their readers make of them.
#include "support/mesh_files.h"

#include "sinew/formats/abaqus.h"
#include "sinew/formats/byte_reader.h"
#include "sinew/formats/mid_nodes.h"
#include "sinew/formats/nastran.h"
#include "sinew/formats/read.h"
#include "sinew/formats/unv.h"
#include "sinew/formats/write.h"
#include "sinew/formats/write_bdf.h"
#include "sinew/formats/write_inp.h"
#include "sinew/formats/write_unv.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Two tets with regions and groups of all kinds.
MeshFile sample_deck() {
  MeshFile file;
  file.volume = test::two_tets();
  file.volume.vertices *= 1e-5 / 3;
  file.volume.vertices.conservativeResize(3, 6);
  file.volume.vertices.col(5) << 1e-300, -1.2246467991473532e-16, 12345678.9;
  file.volume.regions = {7, 2};
  file.volume.groups = {{0, 1, "fixed", Triangles(3, 0), {}, {0, 2, 4}},
                        {0, 4, "", Triangles(3, 0), {}, {5}},
                        {2, 3, "top of it", Triangles(Eigen::Vector3i(0, 1, 2)), {}},
                        {2, 5, "", Triangles(Eigen::Vector3i(1, 2, 3)), {}},
                        {3, 2, "hard", Triangles(3, 0), {1}},
                        {3, 6, "all", Triangles(3, 0), {0, 1}},
                        {3, 7, "", Triangles(3, 0), {0}}};
  return file;
}

std::vector<Index> sorted_corners_of(const Triangles& triangles) {
  std::vector<Index> corners(triangles.data(), triangles.data() + triangles.size());
  for (std::size_t f = 0; f < corners.size(); f += 3) std::sort(corners.begin() + f, corners.begin() + f + 3);
  return corners;
}

void expect_same_deck(const MeshFile& back, const MeshFile& file, bool ids = true) {
  EXPECT_EQ(back.volume.tets, file.volume.tets);
  EXPECT_EQ(back.volume.regions, file.volume.regions);
  ASSERT_EQ(back.volume.groups.size(), file.volume.groups.size());
  for (std::size_t g = 0; g < file.volume.groups.size(); ++g) {
    SCOPED_TRACE(g);
    const ElementGroup& a = back.volume.groups[g];
    const ElementGroup& b = file.volume.groups[g];
    EXPECT_EQ(a.dim, b.dim);
    if (ids) {
      EXPECT_EQ(a.id, b.id);
    }
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(sorted_corners_of(a.triangles), sorted_corners_of(b.triangles));
    EXPECT_EQ(a.tets, b.tets);
    EXPECT_EQ(a.vertices, b.vertices);
  }
}

TEST(WriteDecks, InpKeepsGroupsAndBits) {
  const MeshFile file = sample_deck();
  const WrittenMesh written = inp_bytes(file, MeshEncoding::automatic);
  EXPECT_THAT(written.dropped, IsEmpty());
  const MeshFile back = parse_abaqus({written.bytes, "a.inp"});
  EXPECT_EQ(back.volume.vertices, file.volume.vertices);
  expect_same_deck(back, file);
  EXPECT_THAT(back.unread, IsEmpty());
  EXPECT_THAT(written.bytes, testing::HasSubstr("*SURFACE, TYPE=ELEMENT, NAME=\"top of it\"\n1, S1\n"));
}

// CalculiX reads 20 characters of a number, so an exponent may not stand behind them.
TEST(WriteDecks, InpNumbersHaveNoExponentBehindTwentyCharacters) {
  MeshFile file = sample_deck();
  file.volume.vertices.col(0) << 1.2345678901234567e-5, -1.2345678901234567e-9, 1.2345678901234567e-90;
  std::string_view rest = std::string_view();
  const std::string bytes = inp_bytes(file, MeshEncoding::automatic).bytes;
  rest = bytes;
  for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest))
    EXPECT_TRUE(token.size() <= 21 || token.find('e') == std::string_view::npos) << token;
  const Points back = parse_abaqus({bytes, "a.inp"}).volume.vertices;
  EXPECT_EQ(back(0, 0), file.volume.vertices(0, 0));
  EXPECT_EQ(back(1, 0), file.volume.vertices(1, 0));
  EXPECT_NEAR(back(2, 0), file.volume.vertices(2, 0), 1e-103);
}

TEST(WriteDecks, InpNamesAreUnique) {
  MeshFile file = sample_deck();
  file.volume.groups[0].name = "1\"st\nset";
  file.volume.groups[5].name = "HARD";
  const MeshFile back = parse_abaqus({inp_bytes(file, MeshEncoding::automatic).bytes, "a.inp"});
  EXPECT_EQ(back.volume.groups[0].name, "1'st_set");
  EXPECT_EQ(back.volume.groups[5].name, "HARD_2");
}

TEST(WriteDecks, UnvKeepsGroupsAndBits) {
  const MeshFile file = sample_deck();
  const WrittenMesh written = unv_bytes(file, MeshEncoding::automatic);
  EXPECT_THAT(written.dropped, IsEmpty());
  const MeshFile back = parse_unv({written.bytes, "a.unv"});
  EXPECT_EQ(back.volume.vertices, file.volume.vertices);
  expect_same_deck(back, file);
  EXPECT_THAT(back.notes, IsEmpty());
}

TEST(WriteDecks, BdfKeepsGroups) {
  const MeshFile file = sample_deck();
  const WrittenMesh written = bdf_bytes(file, MeshEncoding::automatic);
  EXPECT_THAT(written.dropped, IsEmpty());
  const MeshFile back = parse_nastran({written.bytes, "a.bdf"});
  for (Eigen::Index i = 0; i < file.volume.vertices.size(); ++i) {
    const double x = file.volume.vertices.data()[i];
    EXPECT_NEAR(back.volume.vertices.data()[i], x, 1e-10 * std::abs(x));
  }
  expect_same_deck(back, file);
}

TEST(WriteDecks, NastranReals) {
  EXPECT_EQ(nastran_real(0), "0.");
  EXPECT_EQ(nastran_real(1), "1.");
  EXPECT_EQ(nastran_real(-0.5), "-.5");
  EXPECT_EQ(nastran_real(1e-300), "1.-300");
  EXPECT_EQ(nastran_real(1 / 3.), ".333333333333333");
  EXPECT_EQ(nastran_real(-1e5 / 3), "-33333.333333333");
  EXPECT_EQ(nastran_real(-1e-10 / 3), "-3.3333333333-11");
  EXPECT_EQ(nastran_real(1e30), "1.+30");
}

// Region 0, and numbers that two dimensions share, as in files of Gmsh.
TEST(WriteDecks, NumbersInUse) {
  MeshFile file = sample_deck();
  file.volume.regions = {0, 0};
  file.volume.groups = {{0, 1, "a", Triangles(3, 0), {}, {0}},
                        {2, 1, "b", Triangles(Eigen::Vector3i(0, 1, 2)), {}},
                        {3, 1, "c", Triangles(3, 0), {1}}};
  expect_same_deck(parse_abaqus({inp_bytes(file, MeshEncoding::automatic).bytes, "a.inp"}), file);
  const MeshFile unv = parse_unv({unv_bytes(file, MeshEncoding::automatic).bytes, "a.unv"});
  ASSERT_EQ(unv.volume.groups.size(), 3u);
  EXPECT_EQ(unv.volume.groups[1].name, "b");
  const MeshFile bdf = parse_nastran({bdf_bytes(file, MeshEncoding::automatic).bytes, "a.bdf"});
  ASSERT_EQ(bdf.volume.groups.size(), 4u);  // the region is a property
  EXPECT_EQ(bdf.volume.groups[1].name, "b");
  EXPECT_EQ(bdf.volume.groups.back().name, "c");
}

TEST(WriteDecks, Surfaces) {
  MeshFile file;
  file.volume.vertices = test::two_tets().vertices;
  file.triangles.resize(3, 2);
  file.triangles << 0, 4, 1, 2, 3, 1;
  file.volume.groups = {{2, 3, "one", Triangles(Eigen::Vector3i(4, 2, 1)), {}}};
  file.triangles.col(1) = Eigen::Vector3i(4, 2, 1);
  for (const MeshFile& back : {parse_abaqus({inp_bytes(file, MeshEncoding::automatic).bytes, "a.inp"}),
                               parse_unv({unv_bytes(file, MeshEncoding::automatic).bytes, "a.unv"})}) {
    EXPECT_EQ(back.triangles, file.triangles);
    ASSERT_EQ(back.volume.groups.size(), 1u);
    EXPECT_EQ(back.volume.groups[0].triangles, file.volume.groups[0].triangles);
    EXPECT_EQ(back.volume.groups[0].id, 3);
  }
  const MeshFile bdf = parse_nastran({bdf_bytes(file, MeshEncoding::automatic).bytes, "a.bdf"});
  EXPECT_EQ(bdf.triangles.cols(), 2);
  EXPECT_EQ(bdf.volume.groups.at(1).name, "one");  // after the property of the others
}

class DeckFiles : public test::MeshTest {};

// Ten-node tets survive every format; groups of vertices those that have them.
TEST_F(DeckFiles, TenNodesSurvive) {
  MeshFile file;
  file.volume = make_box({1, 1, 1}, {1, 1, 1});
  const Edges edges = unique_edges(file.volume.tets);
  for (const auto& edge : edges.colwise()) {
    const Vec3 middle = 0.5 * (file.volume.vertices.col(edge[0]) + file.volume.vertices.col(edge[1]));
    file.volume.mid_nodes.push_back({edge[0], edge[1], middle + Vec3(0.01, 0.02, 0.03)});
  }
  file.volume.regions.assign(static_cast<std::size_t>(file.volume.tet_count()), 1);
  file.volume.groups = {{0, 2, "corner", Triangles(3, 0), {}, {0, 1, 2}}};
  std::vector<Index> all;
  for (Index t = 0; t < file.volume.tet_count(); ++t) all.push_back(t);
  file.volume.groups.push_back({3, 1, "body", Triangles(3, 0), all});
  EXPECT_EQ(ten_node_tets(file.volume).cols(), file.volume.tet_count());
  std::string from = path("0.inp");
  write_mesh(from, file);
  for (const char* name : {"1.msh", "2.unv", "3.bdf", "4.inp", "5.vtu"}) {
    SCOPED_TRACE(name);
    const MeshFile read = read_mesh_file(from, MidNodes::kept);
    EXPECT_EQ(read.volume.vertices, file.volume.vertices);
    EXPECT_EQ(read.volume.tets, file.volume.tets);
    ASSERT_EQ(read.volume.mid_nodes.size(), file.volume.mid_nodes.size());
    for (std::size_t k = 0; k < file.volume.mid_nodes.size(); ++k)
      EXPECT_EQ(read.volume.mid_nodes[k].position, file.volume.mid_nodes[k].position);
    expect_same_deck(read, file);
    write_mesh(from = path(name), read);
  }
  EXPECT_EQ(read_mesh_file(from, MidNodes::kept).volume.mid_nodes.size(), file.volume.mid_nodes.size());
  EXPECT_THAT(warnings,
              ElementsAre(path("5.vtu") + ": dropped, since .vtu files cannot hold it: the group corner (0:2), "
                                          "the group body (3:1)"));
  const std::string deck = test::read_bytes(path("4.inp"));
  EXPECT_THAT(deck, testing::HasSubstr("TYPE=C3D10"));
}

}  // namespace
}  // namespace sinew
