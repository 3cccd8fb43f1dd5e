#include "sinew/formats/medit.h"

#include "support/mesh_files.h"

#include "sinew/formats/read.h"

namespace sinew {
namespace {

using testing::ElementsAre;

// The mesh of two_tets() with references, and a triangle and a quadrilateral.
const char* text =
    "MeshVersionFormatted 2 # of the format\n\n# a comment: Vertices 3\nDimension\n3\n"
    "Vertices\n5\n0 0 0 7\n1 0 0 7\n0 1 0 0\n0 0 1 -1\n1 1 1 0\n"
    "Corners 1\n1\nRequiredVertices\n2 1 2\nEdges 1\n1 2 9\n"
    "Triangles 1\n1 2 3 4\nQuadrilaterals 1\n1 2 5 3 6\n"
    "Normals 1\n0 0 1\nTetrahedra\n2\n1 2 3 4 1\n5 3 2 4 -2\nEnd\nnot read\n";

// The same in the binary layout.
std::string binary(int version, bool big) {
  test::BinaryText out(big);
  const auto position = [&](std::int64_t value) {
    version < 3 ? out.add(static_cast<std::int32_t>(value)) : out.add(value);
  };
  const auto integer = [&](std::int64_t value) {
    version < 4 ? out.add(static_cast<std::int32_t>(value)) : out.add(value);
  };
  const auto real = [&](double value) { version == 1 ? out.add(static_cast<float>(value)) : out.add(value); };
  const std::int64_t head = 4 + (version < 3 ? 4 : 8), word = version < 4 ? 4 : 8;
  const auto begin = [&](int code, std::int64_t count, std::int64_t bytes_each) {
    const auto at = static_cast<std::int64_t>(out.text.size());
    out.add(code);
    position(at + head + word + count * bytes_each);
    integer(count);
  };
  out.add(1).add(version).add(3);
  position(static_cast<std::int64_t>(out.text.size()) + head);
  out.add(3);
  begin(4, 5, 3 * (version == 1 ? 4 : 8) + word);
  const TetMesh mesh = test::two_tets();
  for (int v = 0; v < 5; ++v) {
    for (int k = 0; k < 3; ++k) real(mesh.vertices(k, v));
    integer(0);
  }
  begin(20, 1, 2 * word);  // NormalAtVertices, passed over
  integer(1), integer(1);
  begin(6, 1, 4 * word);
  for (const int value : {1, 2, 3, 4}) integer(value);
  begin(8, 2, 5 * word);
  for (const int value : {1, 2, 3, 4, 1, 5, 3, 2, 4, -2}) integer(value);
  out.add(54);
  position(0);
  return out.text;
}

class Medit : public test::MeshTest {};

TEST_F(Medit, ReadsText) {
  const MeshFile file = parse_medit({text, "a.mesh"});
  EXPECT_EQ(file.volume.vertices, test::two_tets().vertices);
  EXPECT_EQ(file.volume.tets, test::two_tets().tets);
  EXPECT_THAT(file.volume.regions, ElementsAre(1, -2));
  ASSERT_EQ(file.triangles.cols(), 3);
  EXPECT_EQ(file.triangles.col(2), Eigen::Vector3i(0, 4, 2));
  const std::vector<ElementGroup>& groups = file.volume.groups;
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(std::pair(groups[0].dim, groups[0].id), std::pair(2, 4));
  EXPECT_EQ(groups[0].triangles, Triangles(Eigen::Vector3i(0, 1, 2)));
  EXPECT_EQ(std::pair(groups[1].dim, groups[1].id), std::pair(2, 6));
  EXPECT_EQ(groups[1].triangles.cols(), 2);
  EXPECT_EQ(std::pair(groups[2].dim, groups[2].id), std::pair(3, -2));
  EXPECT_THAT(groups[2].tets, ElementsAre(1));
}

TEST_F(Medit, ReadsBinaryOfEveryVersionAndByteOrder) {
  for (int version = 1; version <= 4; ++version) {
    for (const bool big : {false, true}) {
      SCOPED_TRACE(fmt::format("version {} big {}", version, big));
      const MeshFile file = parse_medit({binary(version, big), "a.meshb"});
      EXPECT_EQ(file.volume.vertices, test::two_tets().vertices);
      EXPECT_EQ(file.volume.tets, test::two_tets().tets);
      EXPECT_THAT(file.volume.regions, ElementsAre(1, -2));
      EXPECT_EQ(file.triangles, Triangles(Eigen::Vector3i(0, 1, 2)));
    }
  }
}

TEST_F(Medit, ReadsWhatFortranAndEditorsWrite) {
  std::string changed = text;
  changed.replace(changed.find("1 1 1 0\n"), 7, "1.0D+00 10d-1 .1D1 0");
  EXPECT_EQ(read_mesh_file(file("a.mesh", "\xef\xbb\xbf" + changed)).volume.vertices,
            parse_medit({text, "a.mesh"}).volume.vertices);
  for (const char* bad : {"1.0D", "1.0D+", "1e2D3", "1D2d3", "D3"}) {
    changed = text;
    changed.replace(changed.find("1 1 1 0\n"), 1, bad);
    EXPECT_THAT(
        [&] {
          parse_medit({changed, "a.mesh"});
        },
        testing::ThrowsMessage<InputError>(testing::HasSubstr(std::string("found '") + bad + "'")));
  }
}

TEST_F(Medit, SecondOrderKeepsCorners) {
  std::string vertices = "MeshVersionFormatted 1 Dimension 3 Vertices 10\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n";
  for (int k = 0; k < 6; ++k) vertices += "9 9 9 0\n";
  const std::string p2 = vertices + "TetrahedraP2Ordering 1\n0 0 0\nTetrahedraP2 1\n1 2 3 4 5 6 7 8 9 10 3\n";
  const TetMesh mesh = read_tet_mesh(file("p2.mesh", p2));
  EXPECT_EQ(mesh.vertex_count(), 4);
  EXPECT_EQ(mesh.tets, Tets(Eigen::Vector4i(0, 1, 2, 3)));
  EXPECT_THAT(mesh.regions, ElementsAre(3));
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[0], testing::EndsWith("p2.mesh: 1 second-order tets were read by their corners only; export the "
                                             "mesh with order 1 to silence this"));
}

TEST_F(Medit, SurfacesAndEmptySections) {
  const std::string surface =
      "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n9 9 9 0\n0 0 0 0\n1 0 0 0\n0 1 0 0\nTriangles\n1\n2 3 4 "
      "0\nTetrahedra\n0\nEnd";
  const std::string at = file("surface.mesh", surface);
  EXPECT_EQ(read_tri_mesh(at).vertices.cols(), 3);
  EXPECT_EQ(test::error_of([&] { read_tet_mesh(at); }, at),
            "FILE: found 1 triangles and no tets: this is a surface, but a body needs tets; fill it first (with "
            "sinew-mesh, Gmsh or TetGen), or use it as an obstacle");
  const std::string empty = file("empty.mesh", "MeshVersionFormatted 1\nDimension 3\nVertices 0\nTriangles 0\n");
  EXPECT_EQ(test::error_of([&] { read_tet_mesh(empty); }, empty), "FILE: found no tets, expected a volume mesh");
  EXPECT_EQ(test::error_of([&] { read_tri_mesh(empty); }, empty), "FILE: found neither triangles nor tets");
}

}  // namespace
}  // namespace sinew
