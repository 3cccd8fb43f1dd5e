#include "sinew/formats/unv.h"

#include "support/mesh_files.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

MeshFile unv(const std::string& text) {
  return parse_unv({text, "a.unv"});
}

std::string unv_error(const std::string& text) {
  return test::error_of([&] { unv(text); });
}

const std::string unv_nodes =
    "    -1\n  2411\n        10         1         1        11\n   0.0000000000000000D+00   0.0000000000000000D+00   "
    "0.0000000000000000D+00\n        20         1         1        11\n   1.0 0 0\n 30 1 1 11\n 0 1 0\n 40 1 1 11\n"
    " 0 0 1\n 50 1 1 11\n 1 1 1\n    -1\n";
const std::string unv_tets =
    "    -1\n  2412\n         1       111         2         4         7         4\n        10        20        30      "
    "  "
    "40\n         2       111         2         6         7         4\n        50        30        20        40\n"
    "         3        91         2         1         7         3\n        10        20        30\n"
    "         4        11         2         1         7         2\n         0         1         1\n        10        "
    "20\n    -1\n";

TEST(Unv, NodesAndElements) {
  const MeshFile file = unv("    -1\n   151\nheader\n    -1\n" + unv_nodes + unv_tets);
  EXPECT_EQ(file.volume.vertices, test::two_tets().vertices);
  EXPECT_EQ(file.volume.tets, test::two_tets().tets);
  EXPECT_THAT(file.volume.regions, ElementsAre(4, 6));  // materials, since there are no groups
  EXPECT_EQ(file.triangles.cols(), 1);
  EXPECT_THAT(file.unread, ElementsAre(Pair("elements of kind 11", 1)));
}

TEST(Unv, OldDatasets) {
  const std::string points = "0 0 0\n 2 1 1 11 1 0 0\n 3 1 1 11 0 1 0\n 4 1 1 11 0 0 1\n";
  const std::string tet = "    -1\n   780\n 1 111 0 1 0 5 7 4\n 1 2 3 4\n    -1\n";
  EXPECT_THAT(unv("    -1\n    15\n 1 1 1 11 " + points + "    -1\n" + tet).volume.regions, ElementsAre(5));
  EXPECT_EQ(
      unv("    -1\n   781\n 1 1 1 11\n 0 0 0\n 2 1 1 11\n 1 0 0\n 3 1 1 11\n 0 1 0\n 4 1 1 11\n 0 0 1\n    -1\n" + tet)
          .volume.tet_count(),
      1);
}

TEST(Unv, Groups) {
  for (const char* dataset : {"2467", "2435", "2452", "2477"}) {
    const MeshFile file =
        unv(unv_nodes + unv_tets + "    -1\n  " + dataset +
            "\n         1         0         0         0         0         0         0         3\n"
            "fixed nodes\n         7        10         0         0         7        20         0         "
            "0\n         7        50         0         0\n 2 0 0 0 0 0 0 1\nskin\n 8 3 0 0\n"
            " 3 0 0 0 0 0 0 2\nall\n 8 1 0 0 8 2 0 0\n 9 0 0 0 0 0 0 1\ntip\n 8 2 0 0\n    -1\n");
    ASSERT_EQ(file.volume.groups.size(), 4u);
    EXPECT_EQ(file.volume.groups[0].name, "fixed nodes");
    EXPECT_THAT(file.volume.groups[0].vertices, ElementsAre(0, 1, 4));
    EXPECT_EQ(file.volume.groups[1].name, "skin");
    EXPECT_EQ(file.volume.groups[1].triangles.cols(), 1);
    EXPECT_THAT(file.volume.groups[2].tets, ElementsAre(0, 1));
    EXPECT_EQ(file.volume.groups[3].id, 9);
    EXPECT_THAT(file.volume.regions, ElementsAre(3, 3));  // the first group
  }
  const MeshFile old = unv(unv_nodes + unv_tets + "    -1\n  2430\n 5 0 0 0 0 0 0 2\ntwo\n 8 1 8 2\n    -1\n");
  EXPECT_THAT(old.volume.groups.at(0).tets, ElementsAre(0, 1));
}

TEST(Unv, SecondOrder) {
  std::string text = "    -1\n  2411\n";
  for (int k = 1; k <= 10; ++k) text += fmt::format(" {} 1 1 11\n {} {} {}\n", k, k, k * k, k % 3);
  text += "    -1\n    -1\n  2412\n 1 118 1 1 7 10\n 1 5 2 6 3 7 8 9\n 10 4\n    -1\n";
  const MeshFile file = unv(text);
  ASSERT_EQ(file.second_order.size(), 1u);
  EXPECT_THAT(file.second_order[0], ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(Unv, UnitsBecomeMeters) {
  const MeshFile file =
      unv("    -1\n   164\n         5mm (milli newton)           2\n   1.0000000000000000D+03   "
          "1.0D+03   1.0\n   273.15\n    -1\n" +
          unv_nodes + unv_tets);
  EXPECT_EQ(file.volume.vertices, test::two_tets().vertices / 1000.);
  EXPECT_THAT(file.notes, ElementsAre("coordinates were divided by 1000 to get meters, as dataset 164 says"));
  EXPECT_THAT(unv("    -1\n   164\n 1SI 2\n 1.0 1.0 1.0\n 273\n    -1\n" + unv_nodes).notes, IsEmpty());
}

TEST(Unv, CoordinateSystems) {
  const auto with = [](const char* matrix) {
    return "    -1\n  2420\n 1\nPart\n 1 0 8\nsystem\n" + std::string(matrix) + "    -1\n" + unv_nodes;
  };
  EXPECT_EQ(unv(with(" 1 0 0\n 0 1 0\n 0 0 1\n 0 0 0\n")).volume.vertex_count(), 5);
  EXPECT_EQ(unv_error(with(" 0 1 0\n -1 0 0\n 0 0 1\n 0 0 0\n")),
            "a.unv:14: found a node in coordinate system 1, expected the global one; export again");
}

TEST(Unv, Errors) {
  EXPECT_EQ(unv_error("x\n"), "a.unv:1: found 'x', expected -1 before a dataset");
  EXPECT_EQ(unv_error("    -1\n  2411\n    -1\n"),
            "a.unv:3: found no nodes (dataset 2411); the file is truncated or not a mesh");
  EXPECT_EQ(unv_error("    -1\n  2411\n 1 1 1 11\n"),
            "a.unv:3: the file ends before a node's coordinates; it is truncated, copy or export it again");
  EXPECT_EQ(unv_error("    -1\n  2412\n 1 115 1 1 7 8\n"),
            "a.unv:3: found a volume element of kind 115, expected tets (111 or 118); mesh the volume with tets");
  EXPECT_EQ(unv_error("    -1\n  2412\n 1 111 1 1 7 5\n 1 2 3 4 5\n"),
            "a.unv:4: element 1 of kind 111 has 5 nodes, expected 4");
  EXPECT_EQ(unv_error(unv_nodes + "    -1\n  2412\n 1 111 1 1 7 4\n 10 20 30 60\n    -1\n"),
            "a.unv:16: element 1 names node 60, which is not in the file");
  EXPECT_EQ(unv_error(unv_nodes + unv_tets + "    -1\n  2467\n 1 0 0 0 0 0 0 3\nname\n 8 1 0 0\n    -1\n"),
            "a.unv:31: found 1 entities of group 1, but 3 were announced");
}

}  // namespace
}  // namespace sinew
