#include "support/mesh_files.h"

#include "sinew/formats/obj.h"
#include "sinew/formats/ply.h"
#include "sinew/formats/read.h"
#include "sinew/formats/stl.h"

namespace sinew {
namespace {

using test::BinaryText;
using test::error_of;

class SurfaceFiles : public test::MeshTest {
 protected:
  template <class Reader>
  std::string error(Reader reader, const std::string& text) {
    return error_of([&] { reader(MeshSource{text, "FILE"}); });
  }
};

// The unit square as two triangles.
void expect_square(const TriMesh& mesh) {
  Points vertices(3, 4);
  vertices.transpose() << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0;
  Triangles triangles(3, 2);
  triangles.transpose() << 0, 1, 2, 0, 2, 3;
  EXPECT_EQ(mesh.vertices, vertices);
  EXPECT_EQ(mesh.triangles, triangles);
}

TEST_F(SurfaceFiles, ObjVariants) {
  const std::string vertices =
      "# square\nmtllib a.mtl\nv 0 0 0\nv 1.0 0 0 1\nv +1 1e0 0\r\nv 0 1 0\nvt 0 0\nvn 0 0 1\n";
  for (const char* faces : {"f 1 2 3 4\n", "f 1/1 2/1 3/1 4/1", "f 1//1 2//1 3//1 4//1\n", "f -4 -3 -2 -1 # all\n",
                            "f 1 2 \\\n 3 4\n", "usemtl red\ns off\nf 1/1/1 2/1/1 3/1/1\nf 1 3 4\n"}) {
    SCOPED_TRACE(faces);
    expect_square(read_tri_mesh(file("square.obj", vertices + faces)));
  }
  expect_square(read_tri_mesh(file("late.obj", "f 1 2 3 4\n" + vertices)));
}

TEST_F(SurfaceFiles, ObjRoundTrip) {
  TriMesh mesh;
  mesh.vertices = Points::Random(3, 20) / 3;
  mesh.triangles.resize(3, 2);
  mesh.triangles << 0, 19, 1, 5, 7, 2;
  write_obj(path("out.obj"), mesh);
  const TriMesh back = read_tri_mesh(path("out.obj"));
  EXPECT_EQ(back.vertices, mesh.vertices);
  EXPECT_EQ(back.triangles, mesh.triangles);
  EXPECT_THROW(write_obj("/nowhere/out.obj", mesh), SimulationError);
}

// Polygons, texture coordinates and names stay; numbers count from 1; normals go.
TEST_F(SurfaceFiles, ObjLayout) {
  file("square.obj",
       "# a square\nmtllib paint.mtl\no plate\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\n"
       "g front\nusemtl red paint\ns off\nf 1/1/1 2/2/1 \\\n3/3/1 4//1\ng back\nf -4/-3 -1/-1 -2/-1 # behind\nl 1 2\n");
  const std::string layout = read_layout(path("square.obj"));
  EXPECT_EQ(layout, "mtllib " + path("paint.mtl") +
                        "\no plate\nvt 0 0\nvt 1 0\nvt 1 1\ng front\nusemtl red paint\ns off\nf 1/1 2/2 3/3 4\ng back\n"
                        "f 1/1 4/3 3/3\n");
  // What is written with it reads back as the same surface.
  const TriMesh mesh = read_tri_mesh(path("square.obj"));
  write_obj(path("again.obj"), mesh.vertices, layout);
  EXPECT_EQ(read_tri_mesh(path("again.obj")).triangles, mesh.triangles);
  EXPECT_EQ(read_layout(path("again.obj")), layout);
  EXPECT_EQ(reversed_layout("g front\nf 1/1 2/2 3/3 4\n"), "g front\nf 4 3/3 2/2 1/1\n");
  file("square.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  EXPECT_EQ(read_layout(path("square.off")), "");
}

TEST_F(SurfaceFiles, ObjErrors) {
  EXPECT_EQ(error(parse_obj, ""), "FILE: found no faces, expected a surface");
  EXPECT_EQ(error(parse_obj, "v 0 0 0\nv 1 x 0\n"), "FILE:2: found 'x', expected three coordinates after 'v'");
  EXPECT_EQ(error(parse_obj, "v 0 0\n"), "FILE:1: found '', expected three coordinates after 'v'");
  EXPECT_EQ(error(parse_obj, "v 0 0 0\nf 1 1\n"), "FILE:2: found a face of 2 vertices, expected 3 or more");
  EXPECT_EQ(error(parse_obj, "v 0 0 0\nf 0 1 1\n"), "FILE:2: a face names vertex 0, expected 1 or more, or -1 to -1");
  EXPECT_EQ(error(parse_obj, "v 0 0 0\nf 1 1 -2\n"), "FILE:2: a face names vertex -2, expected 1 or more, or -1 to -1");
  EXPECT_EQ(error(parse_obj, "v 0 0 0\nf 1 a 1\n"), "FILE:2: found 'a', expected a vertex number of a face");
  EXPECT_EQ(error(parse_obj, "v 0 0 0\n\nf 1 1 5\nf 1 1 1\n"),
            "FILE:3: a face names vertex 5, but the file has 1 vertices (numbered from 1)");
}

std::string binary_stl(const std::string& header) {
  BinaryText out(false);
  out.words((header + std::string(80, ' ')).substr(0, 80)).add(std::uint32_t{2});
  const float corners[2][9] = {{0, 0, 0, 1, 0, 0, 1, 1, 0}, {-0.f, 0, 0, 1, 1, 0, 0, 1, 0}};
  for (const auto& facet : corners) {
    for (int k = 0; k < 3; ++k) out.add(0.f);
    for (const float x : facet) out.add(x);
    out.add(std::uint16_t{0});
  }
  return out.text;
}

const char* ascii_stl =
    "solid a square\nfacet normal nan 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 1 1 0\n "
    "endloop\nendfacet\n"
    "facet normal 0 0 1\n outer loop\n vertex -0 0 0\n vertex 1 1 0\n vertex 0 1 0\n endloop\nendfacet\nendsolid a "
    "square\n";

TEST_F(SurfaceFiles, StlVariantsMergeEqualVertices) {
  expect_square(read_tri_mesh(file("a.stl", ascii_stl)));
  std::string capitals = ascii_stl;
  for (char& c : capitals) c = static_cast<char>(std::toupper(c));
  expect_square(read_tri_mesh(file("capitals.stl", capitals)));
  for (const char* before : {" ", "\t\n  \r\n", "\xef\xbb\xbf", "\xef\xbb\xbf \n"})
    expect_square(read_tri_mesh(file("blank.stl", before + std::string(ascii_stl))));
  expect_square(read_tri_mesh(file("b.stl", binary_stl("made by hand"))));
  expect_square(read_tri_mesh(file("d.stl", binary_stl(" solid, blank and binary"))));
  expect_square(read_tri_mesh(file("c.stl", binary_stl("solid but binary"))));
}

TEST_F(SurfaceFiles, StlErrors) {
  EXPECT_EQ(error(parse_stl, "hello"), "FILE:1: expected an STL file: 'solid NAME', or 84 bytes of binary header");
  EXPECT_EQ(error(parse_stl, "solid x\nendsolid x\n"), "FILE: found no facets, expected a surface");
  EXPECT_EQ(error(parse_stl, "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 up\n"),
            "FILE:4: found 'up', expected a vertex coordinate (a number)");
  EXPECT_EQ(error(parse_stl, "solid x\nfacet normal 0 0 1\nouter ring\n"), "FILE:3: found 'ring', expected 'loop'");
  EXPECT_EQ(error(parse_stl, "solid x\nfacet normal 0 0 1\n"),
            "FILE:3: the file ends before 'outer'; it is truncated, copy or export it again");
  EXPECT_EQ(
      error(parse_stl, binary_stl("x").substr(0, 150)),
      "FILE: byte 80: found a count of 2 facets, but only 66 bytes are left in the file; it is truncated or damaged");
}

std::string binary_ply(bool big) {
  BinaryText out(big);
  out.words(
      fmt::format("ply\nformat binary_{}_endian 1.0\ncomment x\nelement vertex 4\nproperty float x\nproperty double y\n"
                  "property uchar red\nproperty float32 z\nelement edge 1\nproperty int a\nelement face 1\n"
                  "property uchar flags\nproperty list uint8 int32 vertex_indices\nend_header\n",
                  big ? "big" : "little"));
  const float x[4] = {0, 1, 1, 0};
  const double y[4] = {0, 0, 1, 1};
  for (int v = 0; v < 4; ++v) out.add(x[v]).add(y[v]).add(std::uint8_t{255}).add(0.f);
  out.add(7).add(std::uint8_t{1}).add(std::uint8_t{4}).add(0).add(1).add(2).add(3);
  return out.text;
}

const char* ascii_ply =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty float w\n"
    "element face 1\nproperty list uchar uint vertex_index\nend_header\n0 0 0 9\n1 0 0 9\n1 1 0 9\n0 1 0 9\n4 0 1 2 3";

TEST_F(SurfaceFiles, PlyVariants) {
  expect_square(read_tri_mesh(file("a.ply", ascii_ply)));
  expect_square(read_tri_mesh(file("b.ply", binary_ply(false))));
  expect_square(read_tri_mesh(file("c.ply", binary_ply(true))));
}

TEST_F(SurfaceFiles, PlyErrors) {
  const auto broken = [&](const std::string& what, const std::string& by) {
    std::string text = ascii_ply;
    return error(parse_ply, text.replace(text.find(what), what.size(), by));
  };
  EXPECT_EQ(error(parse_ply, "plyx\n"), "FILE:1: expected 'ply' on the first line of a PLY file");
  EXPECT_EQ(broken("format ascii", "format text"),
            "FILE:2: found format 'text', expected ascii, binary_little_endian or binary_big_endian");
  EXPECT_EQ(broken("property float x", "property half x"),
            "FILE:4: found property type 'half', expected char, uchar, short, ushort, int, uint, float or double");
  EXPECT_EQ(broken("property float z\n", ""), "FILE:9: the vertices have no properties x, y and z");
  EXPECT_EQ(broken("element vertex 4", "element vertex 400000000"),
            "FILE:10: found a count of 400000000 'vertex', but only 41 bytes are left in the file; it is truncated or "
            "damaged");
  EXPECT_EQ(broken("4 0 1 2 3", "4 0 1 2 9"), "FILE:15: face 0 names vertex 9, expected 0 to 3");
  EXPECT_EQ(broken("4 0 1 2 3", "2 0 1"), "FILE:15: face 0 has 2 vertices, expected 3 or more");
  EXPECT_EQ(broken("4 0 1 2 3", "3.5 0 1 2 3"),
            "FILE:15: found 3.5 as the length of a list, expected an integer from 0 to 999999999");
  EXPECT_EQ(broken("vertex_index", "corners"), "FILE:14: the faces have no list vertex_indices");
  EXPECT_EQ(broken("end_header\n", "end\n"),
            "FILE:10: found 'end' in the header, expected format, comment, element, property or end_header");
  EXPECT_EQ(error(parse_ply, binary_ply(false).substr(0, binary_ply(false).size() - 3)).substr(0, 11), "FILE: byte ");
}

TEST_F(SurfaceFiles, DispatchByExtension) {
  expect_square(read_tri_mesh(file("A.OBJ", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")));
  expect_square(read_tri_mesh(file("a.stl", ascii_stl)));
  expect_square(read_tri_mesh(file("a.ply", ascii_ply)));
  const auto tri_error = [&](const std::string& at) { return error_of([&] { read_tri_mesh(at); }, at); };
  const auto tet_error = [&](const std::string& at) { return error_of([&] { read_tet_mesh(at); }, at); };
  EXPECT_EQ(tri_error(file("a.fbx", "")),
            "cannot read 'FILE': unknown mesh format .fbx, expected .msh, .mesh, .meshb, .vtu, .vtk, .node, .ele, "
            ".veg, .inp, .unv, .bdf, .nas "
            "for tets or .obj, .stl, .ply, .off for "
            "surfaces; convert the file, e.g. with Gmsh or meshio");
  EXPECT_EQ(tet_error(file("a", "")),
            "cannot read 'FILE': its name has no extension to tell the format, expected .msh, .mesh, .meshb, .vtu, "
            ".vtk, .node, .ele, .veg, .inp, .unv, .bdf, .nas for tets or .obj, "
            ".stl, .ply, .off for surfaces; convert the file, e.g. with Gmsh or meshio");
  EXPECT_EQ(tet_error(path("missing")), "cannot open 'FILE': no such file; check the path");
  EXPECT_EQ(tet_error(path("missing.stl")), "cannot open 'FILE': no such file; check the path");
  EXPECT_EQ(tri_error(path("")), "cannot read 'FILE': it is a folder, expected a file");
  EXPECT_EQ(tet_error(path("a.stl")),
            "cannot read 'FILE' as a body: .stl is a surface format, but a body needs tets (.msh, .mesh, .meshb, .vtu, "
            ".vtk, .node, .ele, .veg, .inp, .unv, .bdf, .nas); fill the "
            "surface first "
            "(with sinew-mesh, Gmsh or TetGen), or use it as an obstacle");
}

}  // namespace
}  // namespace sinew
