#include "sinew/io/vtu_writer.h"

#include "sample_scene.h"
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/formats/read.h"
#include "sinew/io/file_stem.h"
#include "sinew/io/user_cells.h"
#include "sinew/io/vtu_series.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class VtuWriter : public test::FolderTest {
 protected:
  // Two tets that share a face, with a field of each kind.
  VtuFile sample() {
    VtuFile file;
    file.point_count = 5;
    file.time = 0.25;
    set_cells(file, ids_, 2, vtk_tet);
    file.points = vtk_array("Points", points_);
    file.point_data = {vtk_array("velocity", points_)};
    file.cell_data = {vtk_array("region", 1, std::span<const Index>(regions_)),
                      vtk_array("pressure", 1, std::span<const double>(values_))};
    return file;
  }

  Points points_ = (Points(3, 5) << 0, 1, 0, 0, 1.0 / 3, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1).finished();
  std::vector<Index> ids_{0, 1, 2, 3, 1, 2, 3, 4};
  std::vector<Index> regions_{3, 7};
  std::vector<double> values_{-0.5, 1e300};
};

TEST_F(VtuWriter, TetsAndTrianglesInOneFile) {
  const Tets tets = Eigen::Map<const Tets>(ids_.data(), 4, 2);
  const Triangles triangles = (Triangles(3, 1) << 0, 1, 4).finished();
  System system;
  system.user_tets = tets;
  system.user_triangles = triangles;
  system.bodies.resize(2);
  system.bodies[0].tet_count = 2;
  const UserCells cells(system);
  EXPECT_EQ(cells.means({1, 2, 3, 4}, 2), (std::vector<double>{1, 2, 3, 4, 0, 0}));
  EXPECT_EQ(cells.firsts({5, 6}, std::vector<Index>{7}), (std::vector<Index>{5, 6, 7}));
  VtuFile file;
  file.point_count = 5;
  cells.set(file);
  EXPECT_EQ(file.cell_count, 3);
  file.points = vtk_array("Points", points_);
  const std::string path = VtuWriter::path("mixed.vtu");
  write_vtu(path, file);
  const MeshFile read = read_mesh_file(path);
  EXPECT_EQ(read.volume.vertices, points_);
  EXPECT_EQ(read.volume.tets, tets);
  EXPECT_EQ(read.triangles, triangles);
}

// A ten-node tet is one cell with the means of its parts, between linear tets of other bodies.
TEST(UserCells, TenNodeTetsAreOneCell) {
  System system;
  system.bodies.resize(3);
  for (SystemBody& body : system.bodies) body.tet_count = 1;
  system.bodies[1].tet_count = parts_of_quadratic;
  system.bodies[1].tet_user_begin = 1;
  system.bodies[1].quadratic_count = 1;
  system.bodies[2].tet_user_begin = 9;
  system.user_tets = Tets::Zero(4, 10);
  system.user_tets.col(0) << 0, 1, 2, 3;
  system.user_tets.col(9) << 14, 15, 16, 17;
  system.user_quadratic_tets = QuadraticTets::NullaryExpr(10, 1, [](Eigen::Index a, Eigen::Index) { return 4 + a; });
  const UserCells cells(system);
  EXPECT_EQ(cells.means({7, 0, 0, 0, 0, 8, 8, 0, 0, 9}, 1), (std::vector<double>{7, 2, 9}));
  VtuFile file;
  cells.set(file);
  EXPECT_EQ(file.cell_count, 3);
}

TEST_F(VtuWriter, ReaderFindsTheSameBits) {
  VtuFile file = sample();
  write_vtu(path("a.vtu"), file);
  const TetMesh mesh = read_tet_mesh(path("a.vtu"));
  EXPECT_EQ(mesh.vertices, points_);
  EXPECT_EQ(std::vector<Index>(mesh.tets.data(), mesh.tets.data() + mesh.tets.size()), ids_);
  EXPECT_EQ(mesh.regions, regions_);
  EXPECT_EQ(mesh.cell_fields.at("pressure"), values_);
  EXPECT_THAT(test::slurp(path("a.vtu")), HasSubstr("Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.25<"));
}

TEST_F(VtuWriter, BytesDependOnTheDataAlone) {
  std::string bytes[2];
  for (int threads = 1; threads <= 2; ++threads) {
    const ThreadLimit limit(threads);
    VtuFile file = sample();
    write_vtu(path("a.vtu"), file);
    bytes[threads - 1] = test::slurp(path("a.vtu"));
  }
  EXPECT_EQ(bytes[0], bytes[1]);
  EXPECT_THAT(listing(), ElementsAre("a.vtu"));
}

TEST_F(VtuWriter, UnwritablePlaceIsNamed) {
  VtuFile file = sample();
  EXPECT_THAT(
      [&] { write_vtu(path("missing/a.vtu"), file); },
      testing::ThrowsMessage<SimulationError>(HasSubstr(path("missing/a.vtu") + ": cannot write: the folder ")));
}

TEST_F(VtuWriter, FileStemsAreSafe) {
  EXPECT_EQ(file_stem(std::string(5000, 'n')), std::string(120, 'n'));
  EXPECT_EQ(file_stem("ball drop"), "ball_drop");
  EXPECT_EQ(file_stem("../a/b"), "_._a_b");
  EXPECT_EQ(file_stem(""), "scene");
}

TEST_F(VtuWriter, SeriesKeepsWhatIsBeforeTheCheckpoint) {
  VtuSeries series(path("."), "ball");
  for (int step : {0, 5, 10, 15}) {
    write("ball_" + std::string(step < 10 ? "00000" : "0000") + std::to_string(step) + ".vtu", "frame");
    series.add(step, 0.1 * step);
  }
  write("ball_notes.vtu", "someone's own");
  series.keep_until(10, {{0, 0.0}, {5, 0.5}, {10, 1.0}});
  EXPECT_THAT(listing(),
              ElementsAre("ball.pvd", "ball_000000.vtu", "ball_000005.vtu", "ball_000010.vtu", "ball_notes.vtu"));
  EXPECT_EQ(test::slurp(path("ball.pvd")),
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
            "<Collection>\n"
            "<DataSet timestep=\"0\" group=\"\" part=\"0\" file=\"ball_000000.vtu\"/>\n"
            "<DataSet timestep=\"0.5\" group=\"\" part=\"0\" file=\"ball_000005.vtu\"/>\n"
            "<DataSet timestep=\"1\" group=\"\" part=\"0\" file=\"ball_000010.vtu\"/>\n"
            "</Collection>\n</VTKFile>\n");
  series.keep_until(-1, {});
  EXPECT_THAT(listing(), ElementsAre("ball_notes.vtu"));
}

}  // namespace
}  // namespace sinew
