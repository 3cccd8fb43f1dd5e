#include "implicit_mesher.h"

#include <fstream>
#include <map>
#include <numbers>
#include <set>
#include <sstream>

#include "mesher/solids.h"
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/validate.h"

namespace sinew::mesher {
namespace {

using testing::HasSubstr;

constexpr double pi = std::numbers::pi;

TetMesh meshed(const Solid& solid, double size) {
  MeshingOptions options;
  options.size = size;
  return mesh_solid(solid, options);
}

// Area of the faces between two regions, 0 for the outside.
double area_between(const TetMesh& mesh, Index a, Index b) {
  double area = 0;
  const Tets neighbours = tet_neighbours(mesh.tets);
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    if (mesh.regions[static_cast<std::size_t>(t)] != a) continue;
    for (int k = 0; k < 4; ++k) {
      const Index u = neighbours(k, t);
      if ((u < 0 ? 0 : mesh.regions[static_cast<std::size_t>(u)]) != b) continue;
      const auto& face = tet_faces[static_cast<std::size_t>(k)];
      const Vec3 p = mesh.vertices.col(mesh.tets(face[0], t)), q = mesh.vertices.col(mesh.tets(face[1], t)),
                 r = mesh.vertices.col(mesh.tets(face[2], t));
      area += 0.5 * (q - p).cross(r - p).norm();
    }
  }
  return area;
}

struct Case {
  std::string name;
  Solid solid;
  double size;
  std::vector<double> volumes;  // of the regions
  Index surfaces;               // connected parts of the boundary
};

std::vector<Case> cases() {
  const double whole = 4 * pi / 3, thin = whole * (1 - 0.95 * 0.95 * 0.95), core = whole * 0.343;
  return {
      {"ball", test::ball(), 0.2, {whole}, 1},
      {"small ball", test::ball(1e-3), 2e-4, {whole * 1e-9}, 1},
      {"layered ball", test::layered_ball(0.7), 0.15, {whole - core, core}, 1},
      {"thin shell", test::layered_ball(0.95, true), 0.15, {thin}, 2},
      {"halved ball", test::halved_ball(), 0.15, {whole / 2, whole / 2}, 1},
      {"box", test::layers({0.8}), 0.15, {0.8}, 1},
      {"layers", test::layers({0.2, 0.5, 0.9}), 0.1, {0.2, 0.3, 0.4}, 1},
      {"lattice", test::lattice(2, 0.06), 0.08, {}, 1},
  };
}

TEST(ImplicitMesher, AnglesVolumesAndSurfaces) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    TetMesh mesh = meshed(c.solid, c.size);
    EXPECT_NO_THROW(validate(mesh, c.name));
    const MeshStatistics s = statistics(mesh);
    EXPECT_GE(s.dihedral_min, 10);
    EXPECT_LE(s.dihedral_max, 170);
    EXPECT_EQ(s.unused_vertices, 0);
    EXPECT_EQ(s.negative_tets, 0);
    EXPECT_EQ(s.components, 1);
    EXPECT_EQ(s.surface.components, c.surfaces);
    EXPECT_EQ(s.surface.boundary_edges, 0);
    EXPECT_EQ(s.surface.nonmanifold_edges, 0);
    ASSERT_EQ(s.regions.size(), c.solid.regions.size());
    for (std::size_t r = 0; r < c.volumes.size(); ++r) {
      EXPECT_EQ(s.regions[r].id, static_cast<Index>(r) + 1);
      EXPECT_NEAR(s.regions[r].volume, c.volumes[r], 0.005 * c.volumes[r]);
    }
  }
}

TEST(ImplicitMesher, RegionsAreGroupsWithNames) {
  const TetMesh mesh = meshed(test::layered_ball(0.7), 0.3);
  ASSERT_EQ(mesh.groups.size(), 2u);
  EXPECT_EQ(mesh.groups[0].name, "shell");
  EXPECT_EQ(mesh.groups[1].name, "core");
  std::vector<int> seen(static_cast<std::size_t>(mesh.tet_count()));
  for (const ElementGroup& group : mesh.groups) {
    EXPECT_EQ(group.dim, 3);
    for (const Index t : group.tets) {
      EXPECT_EQ(mesh.regions[static_cast<std::size_t>(t)], group.id);
      ++seen[static_cast<std::size_t>(t)];
    }
  }
  EXPECT_THAT(seen, testing::Each(1));
}

TEST(ImplicitMesher, InterfacesHaveTheirArea) {
  const TetMesh ball = meshed(test::layered_ball(0.7), 0.15);
  EXPECT_NEAR(area_between(ball, 1, 2), 4 * pi * 0.49, 0.03 * 4 * pi * 0.49);
  EXPECT_EQ(area_between(ball, 2, 0), 0);
  const TetMesh box = meshed(test::layers({0.2, 0.5, 0.9}), 0.1);
  EXPECT_NEAR(area_between(box, 1, 2), 1, 1e-3);
  EXPECT_NEAR(area_between(box, 2, 3), 1, 1e-3);
  // The interface of the halves is a wave that ends at the boundary: twice its length along y times the half chord.
  double wave = 0;
  constexpr int steps = 4000;
  for (int i = 0; i < steps; ++i) {
    const double y = -1 + (i + 0.5) * 2 / steps, x = 0.1 * std::sin(3 * y), slope = 0.3 * std::cos(3 * y);
    wave += 2 * std::sqrt(std::max(0.0, 1 - y * y - x * x)) * std::sqrt(1 + slope * slope) * 2 / steps;
  }
  EXPECT_NEAR(area_between(meshed(test::halved_ball(), 0.15), 1, 2), wave, 0.03 * wave);
}

TEST(ImplicitMesher, FeaturesAreKeptToTheBit) {
  const Solid solid = test::layers({0.2, 0.9});
  const TetMesh mesh = meshed(solid, 0.2);
  std::set<std::array<double, 3>> vertices;
  double on_line = 0;  // length of the boundary's edges on the vertical line x = y = 1
  for (Index v = 0; v < mesh.vertex_count(); ++v)
    vertices.insert({mesh.vertices(0, v), mesh.vertices(1, v), mesh.vertices(2, v)});
  for (const Polyline& line : solid.features) {
    for (const Vec3& p : line) EXPECT_TRUE(vertices.contains({p.x(), p.y(), p.z()})) << p.transpose();
  }
  const Edges edges = unique_edges(boundary_triangles(mesh.tets));
  for (Eigen::Index e = 0; e < edges.cols(); ++e) {
    const Vec3 p = mesh.vertices.col(edges(0, e)), q = mesh.vertices.col(edges(1, e));
    if (p.head<2>() == Eigen::Vector2d(1, 1) && q.head<2>() == Eigen::Vector2d(1, 1)) on_line += (p - q).norm();
  }
  EXPECT_NEAR(on_line, 0.9, 1e-12);
}

TEST(ImplicitMesher, MissesNoPartAndNoGap) {
  // 27 small balls, far apart: each must be found.
  Solid dots = test::ball();
  dots.label = [](const Vec3& p) {
    const Vec3 nearest = p.array().round().max(-1.0).min(1.0);
    return (p - nearest).norm() < 0.03 ? 1 : 0;
  };
  dots.bounds = {Vec3::Constant(-1.1), Vec3::Constant(1.1)};
  dots.thickness = 0.06;
  const MeshStatistics s = statistics(meshed(dots, 0.1));
  EXPECT_EQ(s.components, 27);
  EXPECT_NEAR(s.volume, 27 * 4 * pi / 3 * 2.7e-5, 0.05 * 27 * 4 * pi / 3 * 2.7e-5);

  // Two balls with a gap of a fifth of the size between them.
  Solid pair = test::ball();
  pair.label = [](const Vec3& p) {
    return std::min((p - Vec3(0.51, 0, 0)).norm(), (p + Vec3(0.51, 0, 0)).norm()) < 0.5 ? 1 : 0;
  };
  pair.thickness = 0.02;
  EXPECT_EQ(statistics(meshed(pair, 0.1)).components, 2);

  // One long strand thinner than the size, and a tunnel of the same width through a ball: genus 1.
  Solid strand = test::ball();
  strand.label = [](const Vec3& p) { return p.head<2>().norm() < 0.03 && std::abs(p.z()) < 1 ? 1 : 0; };
  strand.thickness = 0.06;
  const MeshStatistics thread = statistics(meshed(strand, 0.1));
  EXPECT_EQ(thread.components, 1);
  EXPECT_NEAR(thread.upper.z() - thread.lower.z(), 2, 0.02);
  Solid tunnel = test::ball();
  tunnel.label = [](const Vec3& p) { return p.norm() < 1 && p.head<2>().norm() > 0.06 ? 1 : 0; };
  tunnel.thickness = 0.12;
  EXPECT_EQ(statistics(meshed(tunnel, 0.2)).surface.euler_characteristic(), 0);
}

TEST(ImplicitMesher, LatticeKeepsItsHoles) {
  // As a graph 27 nodes and 54 struts: genus 28, also where struts are as thin as the size.
  for (const double size : {0.05, 0.12}) {
    EXPECT_EQ(statistics(meshed(test::lattice(2, 0.06), size)).surface.euler_characteristic(), 2 - 2 * 28) << size;
  }
}

TEST(ImplicitMesher, GradingScalesEdges) {
  Solid solid = test::ball();
  solid.grading = [](const Vec3& p) { return p.x() < 0 ? 0.5 : 1; };
  const TetMesh mesh = meshed(solid, 0.2);
  EXPECT_GE(statistics(mesh).dihedral_min, 10);
  double sum[2] = {0, 0};
  int count[2] = {0, 0};
  const Edges edges = unique_edges(mesh.tets);
  for (Eigen::Index e = 0; e < edges.cols(); ++e) {
    const Vec3 p = mesh.vertices.col(edges(0, e)), q = mesh.vertices.col(edges(1, e));
    if (std::abs(p.x() + q.x()) < 0.6) continue;  // near the change
    sum[p.x() > 0] += (p - q).norm();
    ++count[p.x() > 0];
  }
  EXPECT_NEAR(sum[1] / count[1] / (sum[0] / count[0]), 2, 0.3);
}

TEST(ImplicitMesher, SameBitsEachTime) {
  for (const Solid& solid : {test::lattice(2, 0.06), test::layers({0.2, 0.9}), test::halved_ball()}) {
    const TetMesh a = meshed(solid, 0.1);
    std::vector<std::unique_ptr<char[]>> elsewhere;  // other addresses
    for (std::size_t k = 1; k < 2000; ++k) elsewhere.push_back(std::make_unique<char[]>(37 * k % 5000 + 1));
    const TetMesh b = meshed(solid, 0.1);
    ASSERT_EQ(a.vertices.cols(), b.vertices.cols());
    EXPECT_TRUE(a.vertices == b.vertices);
    EXPECT_TRUE(a.tets == b.tets);
    EXPECT_EQ(a.regions, b.regions);
  }
}

TEST(ImplicitMesher, TellsItsStages) {
  std::vector<std::string> stages;
  std::size_t most = 0;
  MeshingOptions options;
  options.size = 0.1;
  options.progress = [&](std::string_view stage, std::size_t tets) {
    if (stages.empty() || stages.back() != stage) stages.emplace_back(stage);
    most = std::max(most, tets);
  };
  const TetMesh mesh = mesh_solid(test::ball(), options);
  EXPECT_EQ(stages.front(), "surveying");
  EXPECT_EQ(stages.back(), "improving");
  EXPECT_THAT(stages, testing::Contains("refining"));
  EXPECT_NEAR(static_cast<double>(most), mesh.tet_count(), 0.2 * mesh.tet_count());
}

std::string error_of(const Solid& solid, double size) {
  try {
    meshed(solid, size);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(ImplicitMesher, RefusesWhatCannotBeMeshed) {
  Solid empty = test::ball();
  empty.label = [](const Vec3&) { return 0; };
  EXPECT_THAT(error_of(empty, 0.1), HasSubstr("the solid is empty"));
  EXPECT_THAT(error_of(test::ball(), 1e-3), HasSubstr("expected at most 50 million; use a larger size"));
  EXPECT_THAT(error_of(test::ball(), 0), HasSubstr("expected an edge length above 0"));
  EXPECT_THAT(error_of(test::ball(), -1), HasSubstr("expected an edge length above 0"));
  EXPECT_THAT(error_of(test::ball(), std::nan("")), HasSubstr("expected an edge length above 0"));
}

TEST(ImplicitMesher, LongSizesOfTheGallery) {
  for (const auto& [solid, size] : {std::pair{test::lattice(4, 0.03), 0.017}, {test::layered_ball(0.8), 0.05}}) {
    const MeshStatistics s = statistics(meshed(solid, size));
    EXPECT_GT(s.tets, 100000);
    EXPECT_GE(s.dihedral_min, 10);
    EXPECT_EQ(s.surface.nonmanifold_edges, 0);
  }
}

}  // namespace
}  // namespace sinew::mesher
