#include "sinew/formats/write.h"

#include "support/mesh_files.h"

#include "sinew/formats/gmsh.h"
#include "sinew/formats/obj.h"
#include "sinew/formats/read.h"
#include "sinew/formats/vtu.h"
#include "sinew/formats/write_msh.h"
#include "sinew/formats/write_vtu.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr MeshEncoding encodings[] = {MeshEncoding::automatic, MeshEncoding::ascii, MeshEncoding::binary};

// Two tets with coordinates of all digits and a vertex in no tet.
MeshFile sample() {
  MeshFile file;
  file.volume = test::two_tets();
  file.volume.vertices *= 1 / 3.;
  file.volume.vertices.conservativeResize(3, 6);
  file.volume.vertices.col(5) << 1e-300, -1e300, 0.1;
  file.volume.regions = {7, 2};
  return file;
}

void expect_same_mesh(const TetMesh& a, const TetMesh& b) {
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.tets, b.tets);
  EXPECT_EQ(a.regions, b.regions);
}

void expect_same_groups(const TetMesh& a, const TetMesh& b) {
  ASSERT_EQ(a.groups.size(), b.groups.size());
  for (std::size_t i = 0; i < a.groups.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(a.groups[i].dim, b.groups[i].dim);
    EXPECT_EQ(a.groups[i].id, b.groups[i].id);
    EXPECT_EQ(a.groups[i].name, b.groups[i].name);
    EXPECT_EQ(a.groups[i].triangles, b.groups[i].triangles);
    EXPECT_EQ(a.groups[i].tets, b.groups[i].tets);
  }
}

TEST(WriteMesh, MshKeepsEverythingButFields) {
  MeshFile file = sample();
  file.volume.groups = {{2, 3, "top of it", Triangles(Eigen::Vector3i(0, 1, 2)), {}},
                        {2, 4, "", Triangles(Eigen::Vector3i(0, 1, 2)), {}},
                        {3, 2, "hard", Triangles(3, 0), {1}},
                        {3, 5, "all", Triangles(3, 0), {0, 1}},
                        {3, 7, "", Triangles(3, 0), {0}}};
  for (const MeshEncoding encoding : encodings) {
    const WrittenMesh written = msh_bytes(file, encoding);
    EXPECT_THAT(written.dropped, IsEmpty());
    const MeshFile back = parse_gmsh({written.bytes, "a.msh"});
    expect_same_mesh(back.volume, file.volume);
    expect_same_groups(back.volume, file.volume);
    EXPECT_EQ(back.triangles.cols(), 1);  // once, though it is in two groups
  }
  file.volume.cell_fields["young"] = {1, 2};
  EXPECT_THAT(msh_bytes(file, MeshEncoding::ascii).dropped, ElementsAre("the cell array young"));
}

// Regions that no group has, region 0 inside of groups, ids that Gmsh cannot have for groups.
TEST(WriteMesh, MshKeepsRegions) {
  MeshFile file = sample();
  const auto back = [&] { return parse_gmsh({msh_bytes(file, MeshEncoding::ascii).bytes, "a.msh"}).volume; };
  file.volume.regions = {-3, 4};
  expect_same_mesh(back(), file.volume);
  file.volume.regions = {0, 4};
  file.volume.groups = {{3, 9, "both", Triangles(3, 0), {0, 1}}};
  expect_same_mesh(back(), file.volume);
  file.volume.groups = {{2, 0, "", Triangles(Eigen::Vector3i(0, 1, 2)), {}},
                        {3, 0, "", Triangles(3, 0), {0}},
                        {3, 4, "", Triangles(3, 0), {1}}};
  expect_same_mesh(back(), file.volume);
  EXPECT_THAT(msh_bytes(file, MeshEncoding::ascii).dropped, IsEmpty());  // region 0 says it
  file.volume.groups = {{2, 0, "", Triangles(Eigen::Vector3i(0, 1, 2)), {}},
                        {2, 1, "", Triangles(Eigen::Vector3i(0, 1, 2)), {}}};
  EXPECT_THAT(msh_bytes(file, MeshEncoding::ascii).dropped, ElementsAre("the group 2:0"));
}

TEST(WriteMesh, VtuKeepsRegionsAndFields) {
  MeshFile file = sample();
  file.volume.cell_fields["a \"<&>' b"] = {0.1, 1 / 3.};
  file.volume.cell_fields["fibre"] = {1, 0, 0, 0, 1e-200, 0};
  for (const MeshEncoding encoding : encodings) {
    const WrittenMesh written = vtu_bytes(file, encoding);
    EXPECT_THAT(written.dropped, IsEmpty());
    MeshFile back = parse_vtu({written.bytes, "a.vtu"});
    expect_same_mesh(back.volume, file.volume);
    EXPECT_THAT(back.volume.cell_fields.at("region"), ElementsAre(7, 2));
    EXPECT_EQ(vtu_bytes(back, encoding).bytes, vtu_bytes(back, encoding).bytes);
    back.volume.cell_fields.erase("region");
    EXPECT_EQ(back.volume.cell_fields, file.volume.cell_fields);
  }
  file.volume.cell_fields["Region"] = {8, 8};
  EXPECT_THAT(vtu_bytes(file, MeshEncoding::ascii).dropped,
              ElementsAre("the cell array Region, whose name means the regions"));
  expect_same_mesh(parse_vtu({vtu_bytes(file, MeshEncoding::ascii).bytes, "a.vtu"}).volume, file.volume);
  file.volume.cell_fields = {{"MaterialIds", {7, 2}}};  // tells the regions already
  EXPECT_EQ(parse_vtu({vtu_bytes(file, MeshEncoding::ascii).bytes, "a.vtu"}).volume.cell_fields,
            file.volume.cell_fields);
  file.volume.groups = {{2, 3, "top", Triangles(Eigen::Vector3i(0, 1, 2)), {}},
                        {3, 7, "", Triangles(3, 0), {0}},
                        {3, 2, "", Triangles(3, 0), {0, 1}}};
  EXPECT_THAT(vtu_bytes(file, MeshEncoding::ascii).dropped, ElementsAre("the group top (2:3)", "the group 3:2"));
}

TEST(WriteMesh, SurfacesKeepTheirNumbering) {
  MeshFile file;
  file.volume.vertices = sample().volume.vertices;
  file.triangles.resize(3, 2);
  file.triangles << 0, 4, 1, 2, 3, 1;
  for (const MeshEncoding encoding : encodings) {
    for (const MeshFile& back : {parse_gmsh({msh_bytes(file, encoding).bytes, "a.msh"}),
                                 parse_vtu({vtu_bytes(file, encoding).bytes, "a.vtu"})}) {
      EXPECT_EQ(back.volume.vertices, file.volume.vertices);
      EXPECT_EQ(back.triangles, file.triangles);
      EXPECT_EQ(back.volume.tets.cols(), 0);
    }
  }
}

class WriteFiles : public test::MeshTest {};

TEST_F(WriteFiles, TableChoosesByExtension) {
  MeshFile file = sample();
  file.materials = {{"steel", "ENU", {1, 2, 3}, {}}};
  file.volume.groups = {{3, 7, "one", Triangles(3, 0), {0}}};
  write_mesh(path("a.MSH"), file);
  write_mesh(path("a.vtu"), file);
  write_mesh(path("a.obj"), file);
  expect_same_mesh(read_tet_mesh(path("a.MSH")), file.volume);
  expect_same_mesh(read_tet_mesh(path("a.vtu")), file.volume);
  const TriMesh surface = read_tri_mesh(path("a.obj"));
  const TriMesh expected = compacted(file.volume.vertices, boundary_triangles(file.volume.tets));
  EXPECT_EQ(surface.vertices, expected.vertices);
  EXPECT_EQ(surface.triangles, expected.triangles);
  EXPECT_THAT(warnings,
              ElementsAre(path("a.MSH") + ": dropped, since .msh files cannot hold it: the material steel",
                          path("a.vtu") + ": dropped, since .vtu files cannot hold it: the group one (3:7), the "
                                          "material steel",
                          path("a.obj") + ": dropped, since .obj files cannot hold it: the group one (3:7), the "
                                          "material steel"));
}

TEST_F(WriteFiles, Errors) {
  const TetMesh mesh = sample().volume;
  const auto error = [&](const std::string& name, const TetMesh& what,
                         MeshEncoding encoding = MeshEncoding::automatic) {
    return test::error_of([&] { write_mesh(path(name), what, encoding); }, path(name));
  };
  EXPECT_EQ(error("a.stl", mesh),
            "cannot write 'FILE': .stl is not a mesh format that sinew writes, expected .msh, .vtu, .inp, .unv, .bdf, "
            ".nas, .obj");
  EXPECT_EQ(error("a", mesh),
            "cannot write 'FILE': its name has no extension to tell the format, expected .msh, .vtu, .inp, .unv, .bdf, "
            ".nas, .obj");
  EXPECT_EQ(error("a.obj", mesh, MeshEncoding::binary), "cannot write 'FILE': sinew writes .obj files as text only");
  EXPECT_EQ(error("a.msh", {}), "cannot write 'FILE': the mesh has neither tets nor triangles");
  EXPECT_EQ(error("no/a.msh", mesh),
            "FILE: cannot write: the folder " + path("no") + " does not exist; create it first");
  EXPECT_FALSE(std::filesystem::exists(path("a.msh")));
}

TEST_F(WriteFiles, WhereTetsAreWanted) {
  const auto error = [&](const std::string& name) {
    return test::error_of([&] { require_tet_writer(path(name)); }, path(name));
  };
  require_tet_writer(path("a.MSH"));
  require_tet_writer(path("a.vtu"));
  EXPECT_EQ(error("a.obj"),
            "cannot write 'FILE': .obj files hold surfaces only, but the result is tets, expected .msh, .vtu, .inp, "
            ".unv, .bdf, .nas");
  EXPECT_EQ(
      error("a.foo"),
      "cannot write 'FILE': .foo is not a mesh format that sinew writes, expected .msh, .vtu, .inp, .unv, .bdf, .nas");
  EXPECT_EQ(
      error("a"),
      "cannot write 'FILE': its name has no extension to tell the format, expected .msh, .vtu, .inp, .unv, .bdf, .nas");
  EXPECT_EQ(error("no/a.msh"), "FILE: cannot write: the folder " + path("no") + " does not exist; create it first");
}

}  // namespace
}  // namespace sinew
