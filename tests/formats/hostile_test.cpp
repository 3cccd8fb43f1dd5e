// Damaged files: every truncation and many flipped bytes of valid files end in InputError or in a mesh, never in a
// crash.
#include <random>

#include "support/mesh_files.h"

#include "sinew/formats/abaqus.h"
#include "sinew/formats/gmsh.h"
#include "sinew/formats/mid_nodes.h"
#include "sinew/formats/nastran.h"
#include "sinew/formats/obj.h"
#include "sinew/formats/read.h"
#include "sinew/formats/unv.h"
#include "sinew/formats/vtk_encoding.h"
#include "sinew/formats/vtu.h"
#include "sinew/formats/write_bdf.h"
#include "sinew/formats/write_inp.h"
#include "sinew/formats/write_msh.h"
#include "sinew/formats/write_unv.h"
#include "sinew/formats/write_vtu.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/validate.h"

namespace sinew {
namespace {

class Hostile : public test::MeshTest {
 protected:
  // Parses, and validates what came out; InputError is the only exception that may come out.
  void read(const std::string& name, const std::string& bytes) {
    const std::string extension = std::filesystem::path(name).extension().string();
    for (const MeshFormat& format : mesh_formats()) {
      if (extension != format.extension) continue;
      MeshSource source{bytes, name};
      source.other = [&](const std::string& path) -> std::optional<std::string> {
        const auto at = others.find(path);
        return at == others.end() ? std::nullopt : std::optional(at->second);
      };
      try {
        MeshFile file = format.parse(source);
        if (file.volume.tets.cols() > 0) {
          write_again(file);
          validate(file.volume, name);
        } else {
          TriMesh mesh = surface_of(file, name);
          validate(mesh, name);
        }
      } catch (const InputError& error) {
        EXPECT_GT(std::string(error.what()).size(), 10u);
      }
    }
  }

  // What a reader let through can be written and gives the same mesh.
  static void write_again(const MeshFile& given) {
    MeshFile file = given;
    drop_mid_nodes(file);
    parse_abaqus({inp_bytes(file, MeshEncoding::automatic).bytes, "again.inp"});
    EXPECT_EQ(parse_unv({unv_bytes(file, MeshEncoding::automatic).bytes, "again.unv"}).volume.tets, file.volume.tets);
    EXPECT_EQ(parse_nastran({bdf_bytes(file, MeshEncoding::automatic).bytes, "again.bdf"}).volume.tets,
              file.volume.tets);
    file.volume.mid_nodes.clear();
    for (const MeshFile& back : {parse_gmsh({msh_bytes(file, MeshEncoding::binary).bytes, "again.msh"}),
                                 parse_vtu({vtu_bytes(file, MeshEncoding::binary).bytes, "again.vtu"})}) {
      EXPECT_EQ(back.volume.tets, file.volume.tets);
      EXPECT_EQ(back.volume.vertices.cols(), file.volume.vertices.cols());
    }
  }

  std::map<std::string, std::string> others;  // files beside the damaged one

  void damage(const std::string& name, const std::string& bytes) {
    SCOPED_TRACE(name);
    const bool large = bytes.size() > 100000;  // fewer rounds keep the test within seconds
    // Small files are cut at every byte.
    const std::size_t step = bytes.size() < 2000 ? 1 : bytes.size() / (large ? 40 : 60);
    for (std::size_t length = 0; length < bytes.size(); length += step) read(name, bytes.substr(0, length));
    std::mt19937 random(1);
    for (int round = 0; round < (large ? 60 : 120); ++round) {
      std::string copy = bytes;
      for (int k = 0; k < 1 + round % 4; ++k) {
        // The first bytes hold the header, where damage matters most.
        const std::size_t range = round % 2 ? bytes.size() : std::min<std::size_t>(bytes.size(), 200);
        copy[random() % range] = round % 3 ? static_cast<char>(random()) : "-9\xff\x00 e"[random() % 6];
      }
      read(name, copy);
    }
  }
};

std::string vtu_of(const TetMesh& mesh, bool compressed) {
  const VtkBlobOptions options{VtkEncoding::base64, compressed, false, false, 1, 256};
  const auto bytes = [](const auto& list) {
    return std::string_view(reinterpret_cast<const char*>(list.data()), sizeof(list.data()[0]) * list.size());
  };
  std::vector<std::int32_t> offsets;
  for (Index t = 1; t <= mesh.tet_count(); ++t) offsets.push_back(4 * t);
  const std::string types(mesh.tet_count(), '\x0a');
  const auto array = [&](const char* type, const char* name, std::string_view data) {
    return fmt::format("<DataArray type=\"{}\" Name=\"{}\" format=\"binary\">{}</DataArray>", type, name,
                       vtk_encode(data, options));
  };
  return fmt::format(
             "<VTKFile type=\"UnstructuredGrid\"{}><UnstructuredGrid><Piece NumberOfPoints=\"{}\" "
             "NumberOfCells=\"{}\">",
             compressed ? " compressor=\"vtkZLibDataCompressor\"" : "", mesh.vertex_count(), mesh.tet_count()) +
         "<Points>" + array("Float64", "Points", bytes(mesh.vertices)) + "</Points><Cells>" +
         array("Int32", "connectivity", bytes(mesh.tets)) + array("Int32", "offsets", bytes(offsets)) +
         array("UInt8", "types", types) + "</Cells></Piece></UnstructuredGrid></VTKFile>";
}

TEST_F(Hostile, WrittenFiles) {
  const TetMesh mesh = make_box({1, 1, 1}, {2, 2, 2});
  write_msh(path("a.msh"), mesh);
  damage("a.msh", test::read_bytes(path("a.msh")));
  write_obj(path("a.obj"), compacted(mesh.vertices, boundary_triangles(mesh.tets)));
  damage("a.obj", test::read_bytes(path("a.obj")));
  damage("a.vtu", vtu_of(mesh, false));
  damage("a.vtu", vtu_of(mesh, true));
  damage(
      "a.ply",
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n" +
          std::string(36, '\1') + std::string("\3\0\0\0\0\1\0\0\0\2\0\0\0", 13));
}

TEST_F(Hostile, OtherFormats) {
  const std::string points = "5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n";
  damage("a.mesh",
         "MeshVersionFormatted 2\nDimension 3\nVertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\nTriangles "
         "1\n1 2 3 4\nCorners 1\n1\nTetrahedra 2\n1 2 3 4 1\n5 3 2 4 2\nEnd\n");
  test::BinaryText meshb(false);
  meshb.add(1).add(2).add(3).add(20).add(3).add(4).add(20 + 12 + 5 * 28).add(5);
  for (const double x : {0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 1., 1., 1.}) {
    meshb.add(x);
    if (meshb.text.size() % 28 == 0) meshb.add(0);
  }
  meshb.add(8).add(0).add(2);
  for (const int value : {1, 2, 3, 4, 1, 5, 3, 2, 4, 2}) meshb.add(value);
  damage("a.meshb", meshb.text);
  const std::string vtk =
      "# vtk DataFile Version 4.2\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 1 0 0 0 1 "
      "0 0 0 1 1 1 1\nCELLS 3 14\n4 0 1 2 3\n4 4 2 1 3\n3 0 1 2\nCELL_TYPES 3\n10 10 5\n";
  damage("a.vtk",
         vtk +
             "CELL_DATA 3\nSCALARS region int 1\nLOOKUP_TABLE default\n1 2 3\nFIELD f 2\na 2 3 float\n1 2 3 4 5 6\n"
             "s 1 3 string\na\nb\nc\n");
  test::BinaryText grid(true);
  grid.words("# vtk DataFile Version 5.1\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n");
  for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f}) grid.add(x);
  grid.words("\nCELLS 2 4\nOFFSETS vtktypeint64\n").add(std::int64_t{0}).add(std::int64_t{4});
  grid.words("\nCONNECTIVITY vtktypeint64\n");
  for (const std::int64_t id : {0, 1, 2, 3}) grid.add(id);
  grid.words("\nCELL_TYPES 1\n").add(10).words("\nCELL_DATA 1\nFIELD f 2\ns 1 1 string\n\xC3").words("abc");
  damage("a.vtk", grid.words("\nb 1 1 bit\n\x40\n").text);
  others = {{"a.ele", "2 4 1\n1 1 2 3 4 7\n2 5 3 2 4 8\n"}, {"a.face", "1 1\n1 1 2 3 5\n"}, {"a.node", points}};
  damage("a.node", points);
  damage("a.ele", others["a.ele"]);
  others["b.txt"] = "*VERTICES\n" + points + "*INCLUDE c.txt\n";
  others["c.txt"] = "*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 5 3 2 4\n";
  damage("a.veg", "*INCLUDE b.txt\n*MATERIAL m\nENU, 1, 2, 0.3\n*SET s\n1,2\n*REGION\ns, m\n*REGION\nallElements, m\n");
  damage("a.veg", others["b.txt"]);
  const std::string deck =
      "*PART, NAME=p\n*NODE, NSET=n\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n5,1,1,1\n*ELEMENT, TYPE=C3D4, ELSET=b\n"
      "1,1,2,3,4\n2,5,3,2,4\n*NSET, NSET=\"g h\", GENERATE\n1,5,2\n*SURFACE, NAME=s\nb, S1\n1, S2\n*SOLID SECTION, "
      "ELSET=b, MATERIAL=m\n*END PART\n*ASSEMBLY\n*INSTANCE, NAME=i, PART=p\n1,0,0\n0,0,0,0,0,1,90\n*END "
      "INSTANCE\n*NSET, NSET=a, INSTANCE=i\nn, 2\n*ELSET, ELSET=c\ni.b, i.1\n*END ASSEMBLY\n*INCLUDE, INPUT=m.inc\n"
      "*STEP\n*BOUNDARY\na, 1\n";
  others["m.inc"] =
      "*MATERIAL, NAME=m\n*ELASTIC\n1, 0.3\n*DENSITY\n1\n*HYPERELASTIC, OGDEN, N=1\n1,2,0\n*PLASTIC\n1,0\n";
  damage("a.inp", deck);
  damage("a.inp", others["m.inc"] + deck);
  const std::string grids =
      "GRID,1,,0.,0.,0.\nGRID,2,5,1.,0.,0.\nGRID*,3,,0.,1.,\n*,0.\nGRID           4              0.      0.      1.\n";
  damage("a.bdf", "BEGIN BULK\n$HMSET 4 1 \"set\"\nCORD2R,5,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n" + grids +
                      "CTETRA,1,3,1,2,3,4\nCTRIA3,2,4,1,2,3\nPSOLID,3,1\nMAT1,1,1.+5,,.3,1.\nSET1,4,1,THRU,3\nSET3,5,"
                      "ELEM,1\nENDDATA\n");
  damage("a.unv",
         "    -1\n   164\n 1SI 2\n 1000 1 1\n 273\n    -1\n    -1\n  2411\n 1 1 1 11\n 0 0 0\n 2 1 1 11\n 1 0 0\n"
         " 3 1 1 11\n 0 1 0\n 4 1 1 11\n 0 0 1\n    -1\n    -1\n  2412\n 1 111 1 1 7 4\n 1 2 3 4\n 2 91 1 1 7 "
         "3\n 1 2 3\n    -1\n    -1\n  2467\n 1 0 0 0 0 0 0 2\nname\n 8 1 0 0 7 2 0 0\n    -1\n");
  damage("a.off", "COFF\n4 2 0\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n3 0 1 2 9 9 9\n4 0 1 2 3\n");
}

TEST_F(Hostile, DataFiles) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no test data; set SINEW_TEST_DATA";
  for (const char* name :
       {"meshes/small/ANSYS1e-3Corner_coarse.msh", "meshes/small/oloid.msh", "meshes/small/libuipc_link.msh",
        "meshes/medium/bimetal.msh", "meshes/small/tire.vtk", "meshes/small/square_beam.mesh", "surfaces/nut-big.stl",
        "surfaces/bunny.ply", "surfaces/curved_wheel.off"}) {
    const std::string bytes = test::read_bytes(test::data_folder() + "/" + name);
    damage("data" + std::filesystem::path(name).extension().string(), bytes);
  }
}

}  // namespace
}  // namespace sinew
