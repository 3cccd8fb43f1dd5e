// Surfaces to tets: boxes with known volumes, faces and interfaces, in all arrangements.
#include <cmath>
#include <functional>
#include <numbers>

#include "deviation.h"
#include "surface_mesher.h"
#include "surface_repair.h"
#include "winding_number.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/validate.h"

namespace sinew::mesher {
namespace {

using ::testing::HasSubstr;

TriMesh box(const Vec3& centre, const Vec3& size, int cells = 2) {
  const TetMesh tets = make_box(size, {cells, cells, cells});
  TriMesh mesh = compacted(tets.vertices, boundary_triangles(tets.tets));
  mesh.vertices.colwise() += centre;
  return mesh;
}

TriMesh cube(double side, const Vec3& centre = Vec3::Zero()) {
  return box(centre, Vec3::Constant(side));
}

TriMesh turned(TriMesh mesh) {
  mesh.triangles.row(1).swap(mesh.triangles.row(2));
  return mesh;
}

TriMesh together(const TriMesh& a, const TriMesh& b) {
  TriMesh mesh;
  mesh.vertices.resize(3, a.vertices.cols() + b.vertices.cols());
  mesh.vertices << a.vertices, b.vertices;
  mesh.triangles.resize(3, a.triangles.cols() + b.triangles.cols());
  mesh.triangles << a.triangles, (b.triangles.array() + static_cast<Index>(a.vertices.cols())).matrix();
  return mesh;
}

InputSurface surface(const char* name, TriMesh mesh) {
  return {name, std::string(name) + ".obj", std::move(mesh)};
}

double region_volume(const TetMesh& mesh, const std::string& name) {
  double volume = 0;
  for (const ElementGroup& group : mesh.groups) {
    if (group.name != name) continue;
    for (const Index t : group.tets) volume += tet_volume(mesh.vertices, mesh.tets, t);
  }
  return volume;
}

double interface_area(const TetMesh& mesh) {
  const Tets neighbours = tet_neighbours(mesh.tets);
  double area = 0;
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    for (std::size_t k = 0; k < 4; ++k) {
      const Index other = neighbours(static_cast<Eigen::Index>(k), t);
      if (other <= t || mesh.regions[static_cast<std::size_t>(other)] == mesh.regions[static_cast<std::size_t>(t)])
        continue;
      const auto corner = [&](std::size_t v) -> Vec3 { return mesh.vertices.col(mesh.tets(tet_faces[k][v], t)); };
      area += (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm() / 2;
    }
  }
  return area;
}

SurfaceMesh meshed(std::vector<InputSurface> surfaces, double size, bool robust = false) {
  SurfaceMesh result = mesh_surfaces(std::move(surfaces), {.size = size, .robust = robust});
  EXPECT_NO_THROW(validate(result.mesh, "result"));
  EXPECT_GE(statistics(result.mesh).dihedral_min, 8);
  return result;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

constexpr double exact = 1e-9;  // planes are met to the rounding of coordinates near one

TEST(Tets, CubeKeepsItsVolumeAndCorners) {
  const SurfaceMesh result = meshed({surface("cube", cube(1))}, 0.2);
  const MeshStatistics s = statistics(result.mesh);
  EXPECT_NEAR(s.volume, 1, exact);
  EXPECT_NEAR(s.surface.area, 6, exact);
  EXPECT_EQ(s.surface.euler_characteristic(), 2);
  EXPECT_LT(result.mesh_to_surface.max, exact);
  EXPECT_LT(result.surface_to_mesh.max, exact);
}

TEST(Tets, AThinPlateIsNotFilledWithMillionsOfTetsUnasked) {
  const InputSurface plate = surface("plate", box(Vec3::Zero(), Vec3(1, 1, 0.002)));
  EXPECT_THAT(message_of([&] { mesh_surfaces({plate}, {}); }), HasSubstr("confirm with --size 0.00398"));
}

// The default follows the volume inside, not that which the faces as they are enclose.
TEST(Tets, TheDefaultSizeOfTurnedFacesIsThatOfTheSolid) {
  TriMesh mixed = cube(1);
  for (Eigen::Index f = 0; f < mixed.triangles.cols(); f += 2) std::swap(mixed.triangles(0, f), mixed.triangles(1, f));
  const double diagonal = std::sqrt(3.0);
  EXPECT_NEAR(mesh_surfaces({surface("cube", mixed)}, {.robust = true}).size, diagonal / 40, 1e-9);
}

TEST(Tets, SameBytesEachTime) {
  const auto once = [] { return meshed({surface("cube", cube(1))}, 0.25).mesh; };
  const TetMesh a = once(), b = once();
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.tets, b.tets);
}

TEST(Tets, InnerSurfaceReplacesTheOuterOne) {
  for (const bool inner_first : {true, false}) {
    std::vector<InputSurface> surfaces = {surface("inner", cube(0.5)), surface("outer", cube(1))};
    if (!inner_first) std::swap(surfaces[0], surfaces[1]);
    const TetMesh mesh = meshed(surfaces, 0.2).mesh;
    EXPECT_NEAR(region_volume(mesh, "inner"), 0.125, exact);
    EXPECT_NEAR(region_volume(mesh, "outer"), 0.875, exact);
    EXPECT_NEAR(interface_area(mesh), 1.5, exact);
    EXPECT_EQ(statistics(mesh).components, 1);
  }
}

TEST(Tets, SharedFacesBecomeOneInterface) {
  const TetMesh mesh = meshed({surface("left", cube(1)), surface("right", cube(1, {1, 0, 0}))}, 0.25).mesh;
  EXPECT_NEAR(region_volume(mesh, "left"), 1, exact);
  EXPECT_NEAR(region_volume(mesh, "right"), 1, exact);
  EXPECT_NEAR(interface_area(mesh), 1, exact);
  EXPECT_EQ(statistics(mesh).components, 1);
  EXPECT_NEAR(statistics(mesh).surface.area, 10, exact);
}

TEST(Tets, DisjointSurfacesAreRegionsApart) {
  const TetMesh mesh = meshed({surface("a", cube(1)), surface("b", cube(1, {2, 0, 0}))}, 0.3).mesh;
  EXPECT_NEAR(region_volume(mesh, "a"), 1, exact);
  EXPECT_NEAR(region_volume(mesh, "b"), 1, exact);
  EXPECT_EQ(statistics(mesh).components, 2);
}

// A manifold is not to be had where they touch: to ask for one would never end.
TEST(Tets, SurfacesMayTouchInAVertex) {
  const TetMesh two = meshed({surface("a", cube(1)), surface("b", cube(1, Vec3::Ones()))}, 0.3).mesh;
  EXPECT_NEAR(region_volume(two, "a"), 1, exact);
  EXPECT_NEAR(region_volume(two, "b"), 1, exact);
  const TetMesh one = meshed({surface("both", together(cube(1), cube(1, Vec3::Ones())))}, 0.3).mesh;
  EXPECT_NEAR(statistics(one).volume, 2, exact);
}

TEST(Tets, NoRegionIsLostSilently) {
  for (const bool robust : {false, true}) {
    EXPECT_THAT(message_of([&] {
                  mesh_surfaces({surface("a", cube(1)), surface("b", cube(1))}, {.size = 0.3, .robust = robust});
                }),
                HasSubstr("give each surface once"));
  }
  EXPECT_THAT(message_of([] {
                mesh_surfaces({surface("a", cube(1)), surface("b", cube(1e-4))}, {.size = 0.3, .robust = true});
              }),
              HasSubstr("no tet lies inside 'b'"));
}

TEST(Tets, WhatIsFarThinnerThanTheEdgesIsRefused) {
  EXPECT_THAT(message_of([] {
                mesh_surfaces({surface("plate", box(Vec3::Zero(), {1, 1, 1e-4}))}, {});
              }),
              HasSubstr("thick on average"));
  TriMesh mesh = compacted(make_sphere(1, 0.3).vertices, boundary_triangles(make_sphere(1, 0.3).tets));
  mesh.vertices.col(0) *= 1e6;
  EXPECT_THAT(message_of([&] { mesh_surfaces({surface("far", mesh)}, {}); }), HasSubstr("thick on average"));
}

TEST(Tets, InnerPartOfTheSameSurfaceIsACavityWhenItFacesInwards) {
  const TetMesh hollow = meshed({surface("body", together(cube(1), turned(cube(0.5))))}, 0.2).mesh;
  EXPECT_NEAR(statistics(hollow).volume, 0.875, exact);
  EXPECT_EQ(hollow.groups.size(), 1u);
  const TetMesh filled = meshed({surface("body", together(cube(1), cube(0.5)))}, 0.2).mesh;
  EXPECT_NEAR(region_volume(filled, "body"), 0.875, exact);
  EXPECT_NEAR(region_volume(filled, "body_2"), 0.125, exact);
}

TEST(Tets, SurfaceThatFacesInwardsIsTurnedWithAWarning) {
  std::string said;
  log::set_sink([&](log::Level, std::string_view text) { said += text; });
  const TetMesh mesh = meshed({surface("cube", turned(cube(1)))}, 0.3).mesh;
  log::set_sink({});
  EXPECT_NEAR(statistics(mesh).volume, 1, exact);
  EXPECT_THAT(said, HasSubstr("cube.obj: the surface faced inwards"));
}

TEST(Tets, ScaleAndPlaceDoNotMatter) {
  for (const double scale : {1e-6, 1e6}) {
    const TetMesh mesh = meshed({surface("cube", cube(scale))}, 0.25 * scale).mesh;
    EXPECT_NEAR(statistics(mesh).volume / std::pow(scale, 3), 1, exact);
  }
  const TetMesh away = meshed({surface("cube", cube(1, {1e5, -1e5, 1e5}))}, 0.25).mesh;
  EXPECT_NEAR(statistics(away).volume, 1, 1e-8);
}

TEST(Tets, FaultsAreNamedWithTheRemedy) {
  const auto error = [](TriMesh mesh) {
    return message_of([&] { mesh_surfaces({surface("s", std::move(mesh))}, {}); });
  };
  TriMesh open = cube(1);
  open.triangles.conservativeResize(3, open.triangles.cols() - 1);
  EXPECT_THAT(error(open), HasSubstr("s.obj: the surface is open: 3 edges belong to one triangle only"));
  EXPECT_THAT(error(open), HasSubstr("--robust"));
  TriMesh mixed = cube(1);
  std::swap(mixed.triangles(0, 5), mixed.triangles(1, 5));
  EXPECT_THAT(error(mixed), HasSubstr("are inconsistently oriented: 3 edges"));
  TriMesh crossing = together(cube(1), cube(1, {0.5, 0.3, 0.2}));
  EXPECT_THAT(error(crossing), HasSubstr("intersects itself"));
  TriMesh flat = cube(1);
  flat.vertices.row(2).setZero();
  EXPECT_NE(error(flat), "no error");
  EXPECT_THAT(message_of([] {
                mesh_surfaces({surface("a", cube(1)), surface("b", cube(1, {0.5, 0.3, 0.2}))}, {});
              }),
              HasSubstr("'a' and 'b' intersect each other"));
  EXPECT_THAT(message_of([] {
                mesh_surfaces({surface("a", cube(1)), surface("b", cube(1))}, {});
              }),
              HasSubstr("other surfaces cover or replace all of"));
  EXPECT_THAT(message_of([] { mesh_surfaces({surface("a", cube(1))}, {.size = 1e-4}); }), HasSubstr("--size 0.0001"));
  EXPECT_THAT(message_of([] { mesh_surfaces({surface("a", cube(1))}, {.size = -1}); }), HasSubstr("--size: found -1"));
}

TEST(Tets, RobustClosesHolesAndTurnsTriangles) {
  TriMesh broken = box(Vec3::Zero(), Vec3::Ones(), 6);
  for (Eigen::Index f = 0; f < broken.triangles.cols(); f += 5)
    std::swap(broken.triangles(0, f), broken.triangles(1, f));
  broken.triangles.conservativeResize(3, broken.triangles.cols() - 3);
  const SurfaceMesh result = meshed({surface("cube", broken)}, 0.1, true);
  EXPECT_NEAR(statistics(result.mesh).volume, 1, 0.02);
  EXPECT_LT(result.surface_to_mesh.max, 0.05);  // corners are cut by less than half an edge
}

TEST(Tets, RobustJoinsOverlappingParts) {
  const SurfaceMesh result = meshed({surface("cubes", together(cube(1), cube(1, {0.5, 0.3, 0.2})))}, 0.1, true);
  EXPECT_NEAR(statistics(result.mesh).volume, 2 - 0.5 * 0.7 * 0.8, 0.03);
}

TEST(Tets, RobustRefusesASheet) {
  TriMesh sheet = cube(1);
  Eigen::Index kept = 0;
  for (Eigen::Index f = 0; f < sheet.triangles.cols(); ++f) {
    bool top = true;
    for (int k = 0; k < 3; ++k) top = top && sheet.vertices(2, sheet.triangles(k, f)) > 0.49;
    if (top) sheet.triangles.col(kept++) = sheet.triangles.col(f).eval();
  }
  sheet.triangles.conservativeResize(3, kept);
  for (const bool robust : {false, true}) {
    EXPECT_THAT(message_of([&] { mesh_surfaces({surface("sheet", sheet)}, {.robust = robust}); }),
                HasSubstr("open sheet"));
  }
}

TEST(WindingNumber, IsOneInsideAndZeroOutside) {
  const TetMesh ball = make_sphere(1, 0.1);
  const TriMesh mesh = compacted(ball.vertices, boundary_triangles(ball.tets));
  const WindingNumber winding(mesh.vertices, mesh.triangles);
  for (const double r : {0.0, 0.5, 0.9}) EXPECT_NEAR(winding(Vec3(r, 0.01, 0.02)), 1, 0.02);
  for (const double r : {1.1, 2.0, 30.0}) EXPECT_NEAR(winding(Vec3(r, 0.01, 0.02)), 0, 0.02);
}

TEST(Deviation, OfParallelPlanesIsTheirDistance) {
  const TriMesh small = cube(1), large = cube(1.2);
  const SurfaceTree tree(large.vertices, large.triangles);
  const Deviation d = deviation(small.vertices, small.triangles, tree, 0.1);
  EXPECT_NEAR(d.max, 0.1, 1e-12);
  EXPECT_NEAR(d.mean, 0.1, 1e-12);
}

}  // namespace
}  // namespace sinew::mesher
