// The outside test data against the counts of an independent reader.
#include <sstream>

#include "support/mesh_files.h"

#include "sinew/formats/read.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/validate.h"

namespace sinew {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<Row> read_csv(const std::string& path) {
  std::ifstream in(path);
  std::string line, cell;
  std::vector<std::string> names;
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::stringstream cells(line);
    std::vector<std::string> values;
    while (std::getline(cells, cell, ',')) values.push_back(cell);
    if (names.empty()) {
      names = values;
      continue;
    }
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) row[names[i]] = values[i];
  }
  return rows;
}

class Inventory : public test::MeshTest {
 protected:
  void SetUp() override {
    if (test::data_folder().empty()) GTEST_SKIP() << "no test data; set SINEW_TEST_DATA";
  }
};

void expect_number(const Row& row, const char* key, double value, double relative) {
  const double expected = std::stod(row.at(key));
  EXPECT_NEAR(value, expected, relative * std::abs(expected)) << key;
}

TEST_F(Inventory, TetMeshes) {
  int seen = 0;
  for (const Row& row : read_csv(test::data_folder() + "/inventory_meshes.csv")) {
    const std::string name = row.at("file");
    SCOPED_TRACE(name);
    TetMesh mesh = read_tet_mesh(test::data_folder() + "/" + name);
    const MeshStatistics s = statistics(mesh);
    ++seen;
    // Of second-order meshes the list has the nodes between corners, which are left out here.
    const bool second_order = name.find("_P2") != std::string::npos;
    if (!second_order) {
      expect_number(row, "vertices", s.vertices, 0);
      expect_number(row, "unused_vertices", s.unused_vertices, 0);
      expect_number(row, "bbox_x", s.upper[0] - s.lower[0], 1e-8);
      expect_number(row, "bbox_y", s.upper[1] - s.lower[1], 1e-8);
      expect_number(row, "bbox_z", s.upper[2] - s.lower[2], 1e-8);
    } else {
      EXPECT_EQ(s.vertices, std::stoi(row.at("vertices")) - std::stoi(row.at("unused_vertices")));
      EXPECT_EQ(s.unused_vertices, 0);
    }
    expect_number(row, "tets", s.tets, 0);
    expect_number(row, "surface_triangles", s.surface.triangles, 0);
    expect_number(row, "volume", s.volume, 1e-11);
    expect_number(row, "negative_tets", s.negative_tets, 0);
    expect_number(row, "degenerate_tets", s.flat_tets, 0);
    expect_number(row, "components", s.components, 0);
    expect_number(row, "regions", static_cast<double>(s.regions.size()), 0);
    expect_number(row, "nonmanifold_surface_edges", s.surface.nonmanifold_edges, 0);
    expect_number(row, "quality_min", s.quality_min, 5e-3);
    expect_number(row, "quality_median", s.quality_median, 5e-3);

    const std::string error = test::error_of([&] { validate(mesh, "m"); });
    EXPECT_EQ(error.substr(0, 34), s.negative_tets ? "m: 8 of 6414 tets are folded: they" : "");
  }
  EXPECT_GE(seen, 43);
}

TEST_F(Inventory, Surfaces) {
  int seen = 0;
  for (const Row& row : read_csv(test::data_folder() + "/inventory_surfaces.csv")) {
    const std::string name = row.at("file");
    SCOPED_TRACE(name);
    TriMesh mesh = read_tri_mesh(test::data_folder() + "/" + name);
    const SurfaceStatistics s = statistics(mesh);
    ++seen;
    expect_number(row, "vertices", s.vertices, 0);
    expect_number(row, "triangles", s.triangles, 0);
    expect_number(row, "boundary_edges", s.boundary_edges, 0);
    expect_number(row, "nonmanifold_edges", s.nonmanifold_edges, 0);
    expect_number(row, "components", s.components, 0);
    if (s.boundary_edges == 0) {
      EXPECT_EQ(s.euler_characteristic(), 2 * s.components - 2 * std::stoi(row.at("genus")));
      expect_number(row, "signed_volume", s.volume, 1e-7);
    }
    expect_number(row, "bbox_x", s.upper[0] - s.lower[0], 1e-7);
    expect_number(row, "bbox_y", s.upper[1] - s.lower[1], 1e-7);
    expect_number(row, "bbox_z", s.upper[2] - s.lower[2], 1e-7);
    EXPECT_NO_THROW(validate(mesh, "s"));
  }
  EXPECT_GE(seen, 15);
}

TEST_F(Inventory, NamesAndWarnings) {
  const TetMesh bimetal = read_tet_mesh(test::data_folder() + "/meshes/medium/bimetal.msh");
  ASSERT_EQ(bimetal.groups.size(), 4u);
  EXPECT_EQ(bimetal.groups[2].name, "bottom_material");
  EXPECT_EQ(bimetal.groups[2].tets.size(), 8071u);
  EXPECT_EQ(bimetal.groups[3].name, "top_material");
  TetMesh oloid = read_tet_mesh(test::data_folder() + "/meshes/small/oloid.msh");
  validate(oloid, "oloid");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], testing::StartsWith("oloid: 807 of 2094 tets are nearly flat"));
}

}  // namespace
}  // namespace sinew
