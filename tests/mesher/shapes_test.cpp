#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <set>

#include "implicit_mesher.h"
#include "shapes/shape.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/validate.h"

namespace sinew::mesher {
namespace {

using testing::HasSubstr;

struct Made {
  Values values;
  Solid solid;
  TetMesh mesh;
};

Made make(std::string_view name, std::string_view size, const std::vector<std::string>& settings = {}) {
  const Shape& shape = find_shape(name);
  Made made{shape_values(shape, size, settings), {}, {}};
  made.solid = make_solid(shape, made.values);
  made.mesh = mesh_solid(made.solid, {.size = made.values.at("edge")});
  return made;
}

double region_volume(const TetMesh& mesh, Index region) {
  double volume = 0;
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    if (mesh.regions[static_cast<std::size_t>(t)] == region) volume += tet_volume(mesh.vertices, mesh.tets, t);
  }
  return volume;
}

// Of the faces between different regions whose centroids `counts` takes.
template <class Counts>
double interface_area(const TetMesh& mesh, Counts&& counts) {
  const Tets neighbours = tet_neighbours(mesh.tets);
  double area = 0;
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    for (int k = 0; k < 4; ++k) {
      const Index other = neighbours(k, t);
      if (other <= t || mesh.regions[static_cast<std::size_t>(other)] == mesh.regions[static_cast<std::size_t>(t)])
        continue;
      const auto at = [&](int i) {
        return Vec3(
            mesh.vertices.col(mesh.tets(tet_faces[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)], t)));
      };
      const Vec3 a = at(0), b = at(1), c = at(2);
      if (counts(Vec3((a + b + c) / 3))) area += 0.5 * (b - a).cross(c - a).norm();
    }
  }
  return area;
}

// Cauchy and Crofton: isotropic uniform lines through a ball of radius R meet a surface in it n = A / (2 pi R^2) times
// on average. Crossings from region to region are counted on labels `step` apart.
double crofton_area(const Solid& solid, const Vec3& centre, double radius, double step, int lines) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  std::int64_t crossings = 0;
  for (int i = 0; i < lines; ++i) {
    const Vec3 direction = Vec3(normal(random), normal(random), normal(random)).normalized();
    const Vec3 u = direction.unitOrthogonal(), v = direction.cross(u);
    const double r = radius * std::sqrt(uniform(random)), angle = 2 * std::numbers::pi * uniform(random);
    const Vec3 middle = centre + r * (std::cos(angle) * u + std::sin(angle) * v);
    const double half = std::sqrt(radius * radius - r * r);
    int before = 0;
    for (double s = -half + step * uniform(random); s < half; s += step) {
      const int label = solid.label(middle + s * direction);
      crossings += before != 0 && label != 0 && label != before;
      before = label;
    }
  }
  return 2 * std::numbers::pi * radius * radius * static_cast<double>(crossings) / lines;
}

struct Expected {
  const char* name;
  std::array<int, 3> tets;   // at small, medium, large
  std::array<int, 2> holes;  // tunnels and windows through the solid (its genus), at small and medium
};

// Lattice ball: one hole less than windows. Net: strands + arcs of the hoop - knots + 1.
const Expected expected[] = {
    {"anvil", {2200, 47000, 148000}, {0, 0}},        {"beam", {4900, 214000, 490000}, {0, 0}},
    {"block", {3800, 183000, 656000}, {0, 0}},       {"boat", {5400, 56000, 73000}, {0, 0}},
    {"boot", {6500, 125000, 900000}, {0, 0}},        {"candy", {5300, 199000, 509000}, {0, 0}},
    {"city", {9700, 164000, 1494000}, {0, 0}},       {"crab", {13200, 217000, 429000}, {0, 0}},
    {"creature", {15000, 221000, 510000}, {0, 0}},   {"cut_block", {6000, 209000, 419000}, {1, 1}},
    {"gator", {14300, 224000, 441000}, {0, 0}},      {"hand", {3500, 84000, 175000}, {0, 0}},
    {"head", {4200, 104000, 704000}, {0, 0}},        {"hoop_with_net", {8400, 56000, 96000}, {19, 51}},
    {"iceberg", {6000, 35500, 76000}, {0, 0}},       {"kooshball", {19700, 190000, 427000}, {0, 0}},
    {"landscape", {11700, 182000, 1320000}, {0, 0}}, {"lattice_ball", {5700, 162000, 327000}, {41, 161}},
    {"mace", {3500, 62000, 221000}, {0, 0}},         {"mushroom", {7900, 182000, 560000}, {0, 0}},
    {"octobot", {10600, 200000, 499000}, {0, 0}},    {"pendulum", {5100, 199000, 508000}, {0, 0}},
    {"roller", {7500, 163000, 345000}, {1, 1}},      {"sandwich_block", {6800, 217000, 482000}, {0, 0}},
    {"shoe", {9300, 208000, 940000}, {4, 25}},       {"sphere", {4200, 203000, 471000}, {0, 0}},
    {"spike", {1900, 24000, 79000}, {0, 0}},         {"spike_bed", {8700, 100000, 204000}, {0, 0}},
    {"spiky_roller", {4800, 90000, 190000}, {0, 0}}, {"spring_fist", {6600, 99000, 611000}, {0, 0}},
    {"stressball", {5400, 216000, 509000}, {0, 0}},  {"terrain", {4100, 57000, 163000}, {0, 0}}};

void check(const Expected& row, std::size_t size) {
  SCOPED_TRACE(row.name);
  Made made = make(row.name, size_names[size]);
  TetMesh& mesh = made.mesh;
  testing::internal::CaptureStderr();
  ASSERT_NO_THROW(validate(mesh, row.name));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  const MeshStatistics s = statistics(mesh);
  EXPECT_EQ(s.components, 1);
  EXPECT_EQ(s.negative_tets, 0);
  EXPECT_EQ(s.flat_tets, 0);
  EXPECT_EQ(s.unused_vertices, 0);
  EXPECT_EQ(s.surface.components, 1);
  EXPECT_EQ(s.surface.boundary_edges, 0);
  EXPECT_EQ(s.surface.nonmanifold_edges, 0);
  EXPECT_EQ(s.surface.euler_characteristic(), 2 - 2 * row.holes[size]);
  EXPECT_GE(s.dihedral_min, 8.0);
  EXPECT_NEAR(s.tets, row.tets[size], 0.2 * row.tets[size]);
  // One region per tet, all regions there, each a named group.
  const std::set<Index> regions(mesh.regions.begin(), mesh.regions.end());
  ASSERT_EQ(mesh.regions.size(), static_cast<std::size_t>(mesh.tet_count()));
  EXPECT_EQ(regions.size(), made.solid.regions.size());
  EXPECT_EQ(*regions.begin(), 1);
  EXPECT_EQ(*regions.rbegin(), static_cast<Index>(made.solid.regions.size()));
  std::size_t grouped = 0;
  ASSERT_EQ(mesh.groups.size(), made.solid.regions.size());
  for (std::size_t r = 0; r < mesh.groups.size(); ++r) {
    EXPECT_EQ(mesh.groups[r].name, made.solid.regions[r]);
    grouped += mesh.groups[r].tets.size();
  }
  EXPECT_EQ(grouped, mesh.regions.size());
}

TEST(Shapes, SmallMeshesAreSound) {
  for (const Expected& row : expected) check(row, 0);
}

TEST(ShapesLong, MediumMeshesAreSound) {
  for (const Expected& row : expected) check(row, 1);
}

TEST(Shapes, TheTableIsComplete) {
  std::vector<std::string_view> tested, known;
  for (const Expected& row : expected) tested.emplace_back(row.name);
  for (const Shape& shape : all_shapes()) {
    known.push_back(shape.name);
    EXPECT_EQ(shape.parameters.front().name, "edge");
    for (const Parameter& p : shape.parameters) {
      for (const double value : p.defaults) {
        EXPECT_TRUE(p.lower <= value && value <= p.upper) << shape.name << " " << p.name;
      }
    }
  }
  EXPECT_EQ(tested, known);
  EXPECT_TRUE(std::is_sorted(known.begin(), known.end()));
}

TEST(ShapesLong, LargeMeshesHaveTheirCounts) {
  for (const Expected& row : expected) {
    SCOPED_TRACE(row.name);
    const TetMesh mesh = make(row.name, "large").mesh;
    EXPECT_NEAR(mesh.tet_count(), row.tets[2], 0.2 * row.tets[2]);
  }
}

// The solids are boxes and balls: volumes as by formula.
void check_volumes(std::string_view size) {
  const auto near = [](double measured, double exact) { EXPECT_NEAR(measured, exact, 0.01 * exact); };
  const Made sphere = make("sphere", size);
  near(region_volume(sphere.mesh, 1), 4.0 / 3 * std::numbers::pi * std::pow(sphere.values.at("radius"), 3));
  near(region_volume(make("block", size).mesh, 1), 0.3 * 0.15 * 0.3);
  near(region_volume(make("beam", size).mesh, 1), 0.1 * 0.1 * 1);
  const Made sandwich = make("sandwich_block", size, {"soft_layers=2", "stiff_part=0.4"});
  near(region_volume(sandwich.mesh, 1), 0.6 * 0.008);
  near(region_volume(sandwich.mesh, 2), 0.4 * 0.008);
  const auto all = [](const Vec3&) { return true; };
  EXPECT_NEAR(interface_area(sandwich.mesh, all), 4 * 0.2 * 0.2, 1e-6);
  const Made city = make("city", size);
  near(region_volume(city.mesh, 1), 0.8 * 0.8 * 0.06);
  const Made cut = make("cut_block", size);
  const double slab = 0.2 * 0.2 * 0.05, gap = cut.values.at("cut_width") * cut.values.at("cut_length") * 0.05;
  near(region_volume(cut.mesh, 1), slab - gap);
  EXPECT_NEAR(slab - region_volume(cut.mesh, 1), gap, 0.01 * gap);
}

TEST(Shapes, VolumesOfAnalyticShapes) {
  check_volumes("small");
}
TEST(ShapesLong, VolumesOfAnalyticShapesAtMedium) {
  check_volumes("medium");
}

void check_interfaces(std::string_view size) {
  const auto all = [](const Vec3&) { return true; };
  {
    SCOPED_TRACE("roller");
    const Made roller = make("roller", size);
    const double area = 2 * std::numbers::pi * roller.values.at("core_radius") * roller.values.at("length");
    EXPECT_NEAR(interface_area(roller.mesh, all), area, 0.03 * area);
  }
  {
    SCOPED_TRACE("closed stressball");
    const Made ball = make("stressball", size, {"windows=0"});
    const double inner = ball.values.at("radius") - ball.values.at("shell_thickness");
    const double area = 4 * std::numbers::pi * inner * inner;
    EXPECT_NEAR(interface_area(ball.mesh, all), area, 0.03 * area);
  }
  for (const char* name : {"stressball", "shoe"}) {
    SCOPED_TRACE(name);
    const Made made = make(name, size);
    const Eigen::AlignedBox3d& box = made.solid.bounds;
    const double area =
        crofton_area(made.solid, box.center(), 0.5 * box.diagonal().norm(), 0.05 * made.solid.thickness, 50000);
    EXPECT_NEAR(interface_area(made.mesh, all), area, 0.03 * area);
  }
  {
    SCOPED_TRACE("hoop_with_net");
    const Made hoop = make("hoop_with_net", size);
    // Around the root of the strands at +z.
    const double tube = hoop.values.at("rim_tube"), thin = hoop.values.at("strand_radius");
    const Vec3 root(0, -0.7 * tube, hoop.values.at("rim_radius") + tube);
    const double area = crofton_area(hoop.solid, root, 3 * thin, 0.05 * thin, 100000);
    const auto near_root = [&](const Vec3& p) { return (p - root).norm() < 3 * thin; };
    EXPECT_NEAR(interface_area(hoop.mesh, near_root), area, 0.03 * area);
  }
}

TEST(Shapes, InterfacesHaveTheirAreas) {
  check_interfaces("small");
}
TEST(ShapesLong, InterfacesHaveTheirAreasAtMedium) {
  check_interfaces("medium");
}

TEST(Shapes, AreTheSameEachTime) {
  for (const char* name : {"lattice_ball", "stressball", "terrain", "city", "iceberg"}) {
    const TetMesh a = make(name, "small").mesh, b = make(name, "small").mesh;
    EXPECT_EQ(a.vertices, b.vertices) << name;
    EXPECT_EQ(a.tets, b.tets) << name;
    EXPECT_EQ(a.regions, b.regions) << name;
  }
}

TEST(Shapes, CavitiesAndPartialCuts) {
  const Made ball = make("stressball", "small", {"edge=0.006", "cavity_radius=0.005", "cavity_spacing=0.015"});
  const MeshStatistics with = statistics(ball.mesh);
  // The outer sphere and the cavities, each a sphere: at the centre and as many neighbours as fit.
  EXPECT_GT(with.surface.components, 1);
  EXPECT_EQ(with.surface.euler_characteristic(), 2 * with.surface.components);
  const Made cut = make("cut_block", "small", {"cut_depth=0.02"});
  EXPECT_EQ(statistics(cut.mesh).surface.euler_characteristic(), 2);  // no longer through
}

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string setting_error(const char* shape, const std::string& setting, const char* size = "small") {
  return message([&] {
    const std::vector<std::string> settings = {setting};
    make_solid(find_shape(shape), shape_values(find_shape(shape), size, settings));
  });
}

TEST(Shapes, ErrorsNameTheRemedy) {
  EXPECT_THAT(message([] { find_shape("latice_ball"); }), HasSubstr("did you mean \"lattice_ball\"?"));
  EXPECT_THAT(message([] { find_shape("x"); }), HasSubstr("the shapes are \"anvil\""));
  EXPECT_THAT(setting_error("sphere", "raduis=1"), HasSubstr("has no parameter \"raduis\"; did you mean \"radius\"?"));
  EXPECT_THAT(setting_error("sphere", "radius"), HasSubstr("expected parameter=value"));
  EXPECT_THAT(setting_error("sphere", "radius=1m"), HasSubstr("expected a number after radius=, found \"1m\""));
  EXPECT_THAT(setting_error("sphere", "radius=nan"), HasSubstr("expected a number"));
  EXPECT_THAT(setting_error("sphere", "radius=0"), HasSubstr("must lie in 1e-06 .. 1000 m"));
  EXPECT_THAT(setting_error("kooshball", "tendrils=2.5"), HasSubstr("must be a whole number"));
  EXPECT_THAT(setting_error("sphere", "radius=1", "tiny"), HasSubstr("--size tiny: expected small, medium, large"));
  EXPECT_THAT(setting_error("lattice_ball", "edge=0.5"), HasSubstr("use at most 0.024 m"));
  EXPECT_THAT(setting_error("lattice_ball", "edge=0.5"), HasSubstr("change strut_radius (now 0.01)"));
  EXPECT_THAT(setting_error("spike", "tip_radius=0.5"), HasSubstr("must be less than cone_radius"));
  EXPECT_THAT(setting_error("roller", "core_radius=0.2"), HasSubstr("must be less than radius - groove_depth"));
  EXPECT_THAT(setting_error("stressball", "cavity_radius=0.01"), HasSubstr("must be more than twice cavity_radius"));
  EXPECT_THAT(setting_error("candy", "neck_radius=0.15"), HasSubstr("must be less than 0.8 radius"));
  EXPECT_THAT(setting_error("boat", "wall_thickness=0.1"), HasSubstr("at most 0.08 length"));
  EXPECT_THAT(setting_error("boot", "height=0.1"), HasSubstr("at least sole_thickness + 0.5 length"));
  EXPECT_THAT(setting_error("boot", "groove_depth=0.1"), HasSubstr("must be less than 0.8 sole_thickness"));
  EXPECT_THAT(setting_error("hand", "finger_radius=0.1"), HasSubstr("at most 0.055 length"));
  EXPECT_THAT(setting_error("iceberg", "rounding=1"), HasSubstr("at most a fifth of width 0.5 m"));
  EXPECT_THAT(setting_error("landscape", "plots=100"), HasSubstr("are too narrow for a thing_size of 0.12 m"));
  EXPECT_THAT(setting_error("landscape", "castle_width=1"), HasSubstr("at most 0.4 of length"));
  EXPECT_THAT(setting_error("mace", "spikes=1000"), HasSubstr("too near for spike_radius"));
  EXPECT_THAT(setting_error("mace", "tip_radius=1"), HasSubstr("must be less than spike_radius"));
  EXPECT_THAT(setting_error("mushroom", "ring_thickness=1"), HasSubstr("at most 0.08 height"));
  EXPECT_THAT(setting_error("spike_bed", "spikes_along=500"), HasSubstr("which must be more than 2.6 spike_radius"));
  EXPECT_THAT(setting_error("spiky_roller", "rings=100"), HasSubstr("fewer spikes_around or rings"));
  EXPECT_THAT(setting_error("spring_fist", "turns=200"), HasSubstr("leave no gaps in spring_length"));
  EXPECT_THAT(setting_error("octobot", "tentacles=40"), HasSubstr("where 40 tentacles and the head meet"));
}

// Each was a search for a border that is not there, or a mesh far finer than its edge length.
TEST(Shapes, ExtremeProportionsAreRefusedAtOnce) {
  const auto error = [](std::string_view name, const std::string& setting) {
    try {
      const Shape& shape = find_shape(name);
      make_solid(shape, shape_values(shape, "small", std::vector<std::string>{setting}));
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error("hoop_with_net", "knots_around=200"), HasSubstr("three times strand_radius 0.017 m"));
  EXPECT_THAT(error("hoop_with_net", "rows=200"), HasSubstr("twice strand_radius 0.017 m"));
  EXPECT_THAT(error("stressball", "strut_width=1e-6"), HasSubstr("change strut_width (now"));
  EXPECT_THAT(error("roller", "pads_around=100"), HasSubstr("change pads_around (now"));
  EXPECT_THAT(error("roller", "pads_along=100"), HasSubstr("change pads_along (now"));
  EXPECT_THAT(error("terrain", "hills=100"), HasSubstr("change hills (now"));
  EXPECT_THAT(error("terrain", "width=1e-6"), HasSubstr("change width (now"));
  EXPECT_THAT(error("sandwich_block", "depth=1e-6"), HasSubstr("change depth (now"));
  EXPECT_THAT(error("shoe", "midsole_toe=1e-6"), HasSubstr("change midsole_toe (now"));
  EXPECT_THAT(error("shoe", "upper_thickness=1000"), HasSubstr("at most 0.15 length"));
  EXPECT_THAT(error("lattice_ball", "radius=1e-6"), HasSubstr("at most half of radius"));
  EXPECT_THAT(error("lattice_ball", "frequency=40"), HasSubstr("close the windows between them"));
  EXPECT_THAT(error("kooshball", "tendril_radius=1000"), HasSubstr("less than half of radius"));
  EXPECT_THAT(error("crab", "leg_radius=1000"), HasSubstr("at most 0.04 width"));
  EXPECT_THAT(error("creature", "joint_length=1000"), HasSubstr("at most 0.12 height"));
  EXPECT_THAT(error("gator", "blade_thickness=1000"), HasSubstr("at most 0.06 height"));
  EXPECT_THAT(error("pendulum", "rod_radius=1000"), HasSubstr("at most 0.045 length"));
  EXPECT_THAT(error("city", "plots_along=200"), HasSubstr("change plots_along (now"));
  EXPECT_THAT(error("head", "height=1e-6"), HasSubstr("change height (now"));
  EXPECT_THAT(error("candy", "pleats=100"), HasSubstr("change pleats (now"));
  EXPECT_THAT(error("creature", "bone_radius=1e-6"), HasSubstr("change bone_radius (now"));
  for (const char* name : {"stressball", "terrain", "roller", "shoe", "candy"})
    EXPECT_EQ(error(name, "edge=1e-6"), "no error");
  EXPECT_EQ(error("stressball", "radius=1000"), "no error");  // refused for its number of tets
}

TEST(Shapes, AnEdgeLengthKeepsTheGeometryOfMedium) {
  const Shape& ball = find_shape("lattice_ball");
  Values medium = shape_values(ball, "medium", {});
  medium.at("edge") = 0.005;
  EXPECT_EQ(shape_values(ball, "0.005", {}), medium);
}

// The margin of a long beam must not make its cross-section vanish among the points of the survey.
TEST(Shapes, AnElongatedBeamIsFound) {
  const std::vector<std::string> settings = {"length=20", "edge=0.09"};
  const Shape& beam = find_shape("beam");
  const Values values = shape_values(beam, "small", settings);
  const Solid solid = make_solid(beam, values);
  EXPECT_LE(solid.bounds.sizes().y(), 0.31);
  EXPECT_NEAR(statistics(mesh_solid(solid, {.size = values.at("edge")})).volume, 0.2,
              2e-5);  // vertices on its faces are found by bisection
}

// What the error calls the largest edge length that works does.
TEST(Shapes, TheCoarsestEdgeWorks) {
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(shape.name);
    Values values = shape_values(shape, "small", {});
    values.at("edge") = 1e-3;
    values.at("edge") = shape.make(values).finest_detail;
    const MeshStatistics s = statistics(mesh_solid(make_solid(shape, values), {.size = values.at("edge")}));
    EXPECT_EQ(s.components, 1);
    EXPECT_EQ(s.surface.boundary_edges, 0);
    EXPECT_EQ(s.negative_tets, 0);
  }
}

}  // namespace
}  // namespace sinew::mesher
