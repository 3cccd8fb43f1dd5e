// Damaged files: every truncation and many flipped bytes of valid files end in InputError or in a mesh, never in a
// crash.
#include <random>

#include "mesh_test_tools.h"

#include "sinew/mesh/obj.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/read.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/validate.h"
#include "sinew/mesh/vtk_encoding.h"
#include "sinew/mesh/write_msh.h"

namespace sinew {
namespace {

class Hostile : public test::MeshTest {
 protected:
  // Reads and validates as both kinds of mesh; InputError is the only exception that may come out.
  void read(const std::string& name, const std::string& bytes) {
    const std::string at = file(name, bytes);
    try {
      if (name.ends_with(".msh") || name.ends_with(".vtu")) {
        TetMesh mesh = read_tet_mesh(at);
        validate(mesh, at);
      } else {
        TriMesh mesh = read_tri_mesh(at);
        validate(mesh, at);
      }
    } catch (const InputError& error) {
      EXPECT_GT(std::string(error.what()).size(), 10u);
    }
  }

  void damage(const std::string& name, const std::string& bytes) {
    SCOPED_TRACE(name);
    const bool large = bytes.size() > 100000;  // fewer rounds keep the test within seconds
    const std::size_t step = std::max<std::size_t>(1, bytes.size() / (large ? 40 : 60));
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

TEST_F(Hostile, DataFiles) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no test data; set SINEW_TEST_DATA";
  for (const char* name :
       {"meshes/small/ANSYS1e-3Corner_coarse.msh", "meshes/small/oloid.msh", "meshes/small/libuipc_link.msh",
        "meshes/medium/bimetal.msh", "surfaces/nut-big.stl", "surfaces/bunny.ply"}) {
    const std::string bytes = test::read_bytes(test::data_folder() + "/" + name);
    damage(std::string("data") + name[std::string(name).size() - 4] +
               std::string(name).substr(std::string(name).size() - 3),
           bytes);
  }
}

}  // namespace
}  // namespace sinew
