#include "sinew/formats/nastran.h"

#include "support/mesh_files.h"

#include "sinew/formats/nastran_cards.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

MeshFile bdf(const std::string& text) {
  return parse_nastran({text, "a.bdf"});
}

std::string bdf_error(const std::string& text) {
  return test::error_of([&] { bdf(text); });
}

const std::string small_deck =
    "SOL 101\nCEND\nSUBCASE 1\n  LOAD = 2\nBEGIN BULK\n$ comment\n"
    "GRID          10              0.      0.      0.\nGRID          20              1.      0.      0.\n"
    "grid          30              0.    1.+0      0.\nGRID          40              0.      0.   10.-1\n"
    "GRID          50              1.      1.      1.\n"
    "CTETRA         7       3      10      20      30      40\nCTETRA         9       5      50      30      20      "
    "40\n"
    "PSOLID         3       1\nPSOLID         5       2\nENDDATA\nthis is not read\n";

TEST(Nastran, SmallFields) {
  const MeshFile file = bdf(small_deck);
  EXPECT_EQ(file.volume.vertices, test::two_tets().vertices);
  EXPECT_EQ(file.volume.tets, test::two_tets().tets);
  EXPECT_THAT(file.volume.regions, ElementsAre(3, 5));
  ASSERT_EQ(file.volume.groups.size(), 2u);
  EXPECT_EQ(file.volume.groups[1].id, 5);
  EXPECT_THAT(file.unread, IsEmpty());
}

TEST(Nastran, LargeAndFreeFields) {
  const MeshFile file =
      bdf("GRID*                 10                             0.0             0.0\n*                    0.0\n"
          "GRID*,20,,1.0,0.0,\n*,0.0\nGRID,30,,0.,1.,0.\nGRID\t40\t\t0.\t0.\t1.\nGRID,50,0,1.,1.,1. $ the last\n"
          "CTETRA,7,3,10,20,30,40\nCTETRA*                9               5              50              30\n"
          "*                     20              40\n");
  EXPECT_EQ(file.volume.vertices, test::two_tets().vertices);
  EXPECT_EQ(file.volume.tet_count(), 2);
  EXPECT_THAT(file.volume.regions, ElementsAre(3, 5));
}

TEST(Nastran, Reals) {
  const auto real = [](const char* text) {
    double value = -99;
    return parse_nastran_real(text, value) ? value : -99;
  };
  EXPECT_EQ(real("1.5-3"), 1.5e-3);
  EXPECT_EQ(real("7.+5"), 7e5);
  EXPECT_EQ(real("-.5-2"), -0.005);
  EXPECT_EQ(real("1.5E-3"), 1.5e-3);
  EXPECT_EQ(real("1.5D+3"), 1500);
  EXPECT_EQ(real("-2"), -2);
  for (const char* bad : {"", "-", "1.5-", "a-3", "1-2-3"}) EXPECT_EQ(real(bad), -99) << bad;
}

TEST(Nastran, TenNodes) {
  std::string text;
  for (int k = 1; k <= 10; ++k) text += fmt::format("GRID,{},,{}.,{}.,{}.\n", k, k, k * k, k % 3);
  const MeshFile file = bdf(text + "CTETRA,1,1,1,2,3,4,5,6,+\n+,7,8,9,10\n");
  ASSERT_EQ(file.second_order.size(), 1u);
  EXPECT_THAT(file.second_order[0], ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  const MeshFile part = bdf(text + "CTETRA,1,1,1,2,3,4,5,6,+\n+,7,,9,10\n");  // a node on an edge may be left out
  EXPECT_THAT(part.second_order, IsEmpty());
  EXPECT_EQ(part.mid_nodes.size(), 5u);
  EXPECT_EQ(part.higher_order.at("second-order tets"), 1);
}

TEST(Nastran, NamesSetsAndMaterials) {
  const MeshFile file = bdf(
      "$HMNAME PROP                   3\"soft part\" 4\n$ANSA_NAME_COMMENT;5;PSOLID;hard;;NO;NO;NO;\n"
      "$HMNAME MAT                    1\"rubber\" \"MAT1\"\n$HMSET         8        1 \"fixed\" 18\n"
      "$HMSET         9        2 \"chosen\"\n" +
      small_deck.substr(small_deck.find("GRID"), small_deck.find("ENDDATA") - small_deck.find("GRID")) +
      "MAT1           1   1.0+6              .4  1000.\nMAT1,2,,4.,.25\nSET1,8,10,THRU,30\nSET,9,ELEM,LIST\n+,9\n"
      "SET3,12,GRID,50\nCTRIA3,20,6,10,20,30\nCQUAD4,21,6,10,20,50,30\nPSHELL,6,1,.1\nSPC1,1,123,10\nSPC1,1,1,20\n");
  EXPECT_EQ(file.volume.groups[0].name, "fixed");
  EXPECT_THAT(file.volume.groups[0].vertices, ElementsAre(0, 1, 2));
  EXPECT_THAT(file.volume.groups[1].vertices, ElementsAre(4));
  EXPECT_EQ(std::pair(file.volume.groups[2].dim, file.volume.groups[2].id), std::pair(2, 6));
  EXPECT_EQ(file.volume.groups[2].triangles.cols(), 3);
  EXPECT_EQ(file.volume.groups[3].name, "soft part");
  EXPECT_EQ(file.volume.groups[4].name, "hard");
  EXPECT_EQ(file.volume.groups[5].name, "chosen");
  EXPECT_THAT(file.volume.groups[5].tets, ElementsAre(1));
  ASSERT_EQ(file.materials.size(), 2u);
  EXPECT_EQ(file.materials[0].name, "rubber");
  EXPECT_THAT(file.materials[0].groups, ElementsAre("soft part"));
  EXPECT_EQ(file.materials[0].scene, R"({"model": "neo_hookean", "young": 1000000, "poisson": 0.4, "density": 1000})");
  EXPECT_THAT(file.materials[1].parameters, ElementsAre(10, 0.25));  // from G and nu
  EXPECT_THAT(file.unread, ElementsAre(Pair("PSHELL", 1), Pair("SPC1", 2)));
}

TEST(Nastran, CoordinateSystems) {
  const MeshFile file =
      bdf("CORD2R,1,,1.,0.,0.,1.,0.,1.\n,1.,1.,0.\nCORD2C,2,1,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n"
          "CORD2S,3,0,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nGRID,1,1,2.,0.,0.\nGRID,2,2,2.,90.,5.\nGRID,3,3,2.,90.,90.\n");
  EXPECT_LT((file.volume.vertices.col(0) - Vec3(1, 2, 0)).norm(), 1e-15);   // x points along y
  EXPECT_LT((file.volume.vertices.col(1) - Vec3(-1, 0, 5)).norm(), 1e-15);  // y of that system along -x
  EXPECT_LT((file.volume.vertices.col(2) - Vec3(0, 2, 0)).norm(), 1e-15);
  EXPECT_EQ(bdf_error("GRID,1,4,0.,0.,0.\n"),
            "a.bdf:1: found coordinate system 4, expected one of a CORD2R, CORD2C or CORD2S card");
  EXPECT_EQ(bdf_error("CORD2R,1,2,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nCORD2R,2,1,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nGRID,1,1\n"),
            "a.bdf:1: coordinate system 1 refers to itself, or systems are nested more than 100 deep");
}

TEST(Nastran, Errors) {
  EXPECT_EQ(bdf_error(""), "a.bdf:1: found no GRID cards; the file is truncated or not a mesh");
  EXPECT_EQ(bdf_error("GRID,1,,x\n"), "a.bdf:1: found 'x' in a GRID card, expected a coordinate (a number)");
  EXPECT_EQ(bdf_error("GRID,1\n\nGRID,1\n"), "a.bdf:3: found node 1 twice, expected one node of each number");
  EXPECT_EQ(bdf_error("GRID,1\nCTETRA,1,1,1,2,3,4\n"), "a.bdf:2: element 1 names node 2, which is not in the file");
  EXPECT_EQ(bdf_error("CHEXA,1,1,1,2,3,4,5,6\n,7,8\n"),
            "a.bdf:1: found a CHEXA card, expected CTETRA; mesh the volume with tets");
  EXPECT_EQ(bdf_error("what is this\n"),
            "a.bdf:1: found 'what is this', expected a bulk data card such as GRID or CTETRA");
  EXPECT_EQ(bdf_error("CTETRA,1,1,1,2,3,4,5,6,7,8,9,10\n"),
            "a.bdf:1: found more than 10 fields in a line, expected the others in a line that begins with a comma");
  EXPECT_EQ(bdf_error("INCLUDE 'b.bdf'\n"),
            "a.bdf:1: cannot open the include 'b.bdf': no such file; its path is relative to the folder of 'a.bdf'");
}

}  // namespace
}  // namespace sinew
