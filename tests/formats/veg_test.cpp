#include "sinew/formats/veg.h"

#include "support/mesh_files.h"

#include "sinew/formats/read.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Veg : public test::MeshTest {};

const char* one_based =
    "# two tets\n*VERTICES\n5, 3, 0, 0\n1 0 0 0\n2, 1, 0, 0\n\n3\t0 1 0\n4 0 0 1\n5 1 1 1\n"
    "*ELEMENTS\nTETS\n2 4 0\n1 1 2 3 4\n# next\n2 5 3 2 4\n";

TEST_F(Veg, CountsFromZeroAndFromOne) {
  const char* zero_based =
      "*VERTICES\n5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n*ELEMENTS\nTET\n2 4 0\n0 0 1 2 3\n1 4 2 1 "
      "3\n*SET b\n1";
  for (const char* text : {one_based, zero_based}) {
    const MeshFile file = parse_veg({text, "a.veg"});
    EXPECT_EQ(file.volume.vertices, test::two_tets().vertices);
    EXPECT_EQ(file.volume.tets, test::two_tets().tets);
    EXPECT_THAT(file.volume.regions, ElementsAre(0, 0));
    if (text == zero_based) {
      EXPECT_THAT(file.volume.groups.at(0).tets, ElementsAre(1));
    }
  }
}

TEST_F(Veg, SetsRegionsAndMaterials) {
  const MeshFile file = parse_veg(
      {std::string(one_based) + "*MATERIAL soft\nENU, 1000, 1e6, 0.4\n*MATERIAL hard\nMOONEYRIVLIN, 1100, 1, 2, 3\n"
                                "*MATERIAL wood\nORTHOTROPIC_N1G1, 1000, 1, 2, 3, 0.3, 1\n*MATERIAL odd\nOWN, 5\n"
                                "*SET unused\n*SET one\n2, 2,\n2,\n*SET both\n1, 2\n"
                                "*REGION\none, soft\n*REGION\n allElements , hard\n*REGION\none, hard\n",
       "a.veg"});
  const std::vector<ElementGroup>& groups = file.volume.groups;
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].name, "unused");
  EXPECT_THAT(groups[0].tets, IsEmpty());
  EXPECT_EQ(groups[1].name, "one");
  EXPECT_THAT(groups[1].tets, ElementsAre(1));
  EXPECT_THAT(groups[2].tets, ElementsAre(0, 1));
  EXPECT_EQ(groups[3].name, "allElements");
  EXPECT_EQ(std::pair(groups[3].dim, groups[3].id), std::pair(3, 4));
  EXPECT_THAT(file.volume.regions, ElementsAre(4, 2));  // the last region of a tet counts
  ASSERT_EQ(file.materials.size(), 4u);
  EXPECT_EQ(file.materials[0].model, "ENU");
  EXPECT_THAT(file.materials[0].parameters, ElementsAre(1000, 1e6, 0.4));
  EXPECT_THAT(file.materials[0].groups, ElementsAre("one"));
  EXPECT_THAT(file.materials[1].groups, ElementsAre("allElements", "one"));
  EXPECT_THAT(file.materials[2].groups, IsEmpty());
  EXPECT_EQ(file.materials[3].model, "OWN");
}

TEST_F(Veg, IncludesCountFromTheFolderOfTheFile) {
  std::filesystem::create_directories(path("lists"));
  file("lists/a.txt", "# first\n1,\n*INCLUDE lists/b.txt\n");
  file("lists/b.txt", "2");
  const TetMesh mesh =
      read_tet_mesh(file("a.veg", std::string(one_based) + "*SET both\n*INCLUDE lists/a.txt\n*SET one\n"
                                                           "*INCLUDE lists/b.txt"));
  ASSERT_EQ(mesh.groups.size(), 2u);
  EXPECT_THAT(mesh.groups[0].tets, ElementsAre(0, 1));
  EXPECT_THAT(mesh.groups[1].tets, ElementsAre(1));
  const std::string bad = file("bad.veg", std::string(one_based) + "*SET both\n*INCLUDE lists/c.txt\n");
  file("lists/c.txt", "1\nx\n");
  EXPECT_EQ(test::error_of([&] { read_tet_mesh(bad); }),
            path("lists/c.txt") + ":2: found 'x', expected an element of a set (an integer)");
}

}  // namespace
}  // namespace sinew
