#include "sinew/formats/off.h"

#include "support/mesh_files.h"

namespace sinew {
namespace {

TEST(Off, Variants) {
  for (const char* text :
       {"OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n", "OFF 4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4  0 1 2 3",
        "# a square\r\n\r\nOFF # here\r\n4 1\r\n0 0 0\r\n# between\r\n1 0 0\r\n1 1 0\r\n0 1 0\r\n4 0 1 2 3 255 0 0\r\n",
        "COFF\n4 1 5\n0 0 0 1 0 0 1\n1 0 0 255 0 0 255\n1 1 0 0 0 0 1\n0 1 0 0 0 0 1\n4 0 1 2 3 7\n",
        "NOFF\n4 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n4 0 1 2 3\n",
        "STCNOFF\n4 2 0\n0 0 0 9\n1 0 0 9\n1 1 0 9\n0 1 0 9\n3 0 1 2\n3 0 2 3 # last\n",
        "4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"}) {
    SCOPED_TRACE(text);
    const MeshFile file = parse_off({text, "a.off"});
    Points vertices(3, 4);
    vertices.transpose() << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0;
    Triangles triangles(3, 2);
    triangles.transpose() << 0, 1, 2, 0, 2, 3;
    EXPECT_EQ(file.volume.vertices, vertices);
    EXPECT_EQ(file.triangles, triangles);
  }
}

}  // namespace
}  // namespace sinew
