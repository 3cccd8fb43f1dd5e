// Hard contacts: at every step nothing intersects (by the independent checker) and J > 0.
#include <cmath>
#include <random>

#include "support/bodies.h"
#include "support/run.h"

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// A scene before jitter, and how many steps to take.
struct Scenario {
  const char* name;
  Setup (*make)();
  int steps;
};

Setup base(double step = 0.01) {
  sinew::Setup setup;
  setup.time.step = step;
  setup.contact.friction = 0.2;
  setup.contact.distance = 1e-3;
  setup.solver.tolerance = 1e-3;
  return setup;
}

double refinement = 1;  // of the edges of whatever is made of many tets

TetMesh box(double x, double y, double z, double edge) {
  return make_box(Vec3(x, y, z), edge / refinement);
}

// A tet with its apex pointing down or up.
TetMesh spike(bool down) {
  TetMesh mesh;
  const double s = down ? -1 : 1;
  mesh.vertices.resize(3, 4);
  mesh.vertices << -0.05, 0.05, 0, 0, 0, 0, 0, 0.15 * s, -0.03, -0.03, 0.06, 0;
  mesh.tets.resize(4, 1);
  mesh.tets << 0, down ? 1 : 2, down ? 2 : 1, 3;
  mesh.regions = {0};
  return mesh;
}

// A wedge: a prism of three tets with an edge pointing down or up.
TetMesh wedge(bool down) {
  TetMesh mesh;
  const double s = down ? -1 : 1;
  mesh.vertices.resize(3, 6);
  mesh.vertices << -0.05, 0.05, 0, -0.05, 0.05, 0,  //
      0, 0, 0.1 * s, 0, 0, 0.1 * s,                 //
      -0.05, -0.05, -0.05, 0.05, 0.05, 0.05;
  mesh.tets.resize(4, 3);
  mesh.tets << 0, 1, 2,  //
      1, 2, 5,           //
      2, 4, 4,           //
      3, 3, 3;
  for (Index t = 0; t < 3; ++t) {  // wind positively
    const Vec3 a = mesh.vertices.col(mesh.tets(0, t));
    Mat3 D;
    for (int k = 0; k < 3; ++k) D.col(k) = mesh.vertices.col(mesh.tets(k + 1, t)) - a;
    if (D.col(0).dot(D.col(1).cross(D.col(2))) < 0) std::swap(mesh.tets(0, t), mesh.tets(1, t));
  }
  mesh.regions = {0, 0, 0};
  return mesh;
}

MaterialAssignment stiff() {
  return test::material("neo_hookean", 1e7, 0.3);
}
MaterialAssignment soft() {
  return test::material("neo_hookean", 1e5, 0.4, 1000, "soft");
}

Setup two_bodies(TetMesh lower, TetMesh upper, Vec3 offset, MaterialAssignment m) {
  sinew::Setup setup = base();
  setup.bodies.push_back(test::body("lower", std::move(lower), m));
  FixSetup bottom;
  const double lowest = setup.bodies[0].mesh.vertices.row(1).minCoeff();
  bottom.vertices = test::select_vertices(setup.bodies[0].mesh, [&](const Vec3& p) { return p.y() <= lowest + 1e-9; });
  setup.bodies[0].fixes = {bottom};
  setup.bodies.push_back(test::body("upper", std::move(upper), m, offset));
  return setup;
}

Setup spike_spike() {
  return two_bodies(spike(false), spike(true), Vec3(0, 0.31, 0), stiff());
}
Setup spike_on_face() {
  sinew::Setup setup = two_bodies(spike(false), spike(true), Vec3(0, 0.32, 0), stiff());
  TetMesh& mesh = setup.bodies[1].mesh;
  for (Index i = 0; i < 4; ++i)
    mesh.vertices.col(i) = Vec3(mesh.vertices(0, i), 0.48 - mesh.vertices(1, i), -mesh.vertices(2, i));
  return setup;
}
// A spike that falls into a hole too narrow for its upper end.
Setup spike_in_hole() {
  TetMesh block = make_box(Vec3(0.24, 0.12, 0.24), {6, 4, 6});
  std::vector<Index> kept;
  for (Index t = 0; t < block.tet_count(); ++t) {
    const Vec3 c = block.vertices(Eigen::all, block.tets.col(t)).rowwise().mean();
    if (std::abs(c.x()) > 0.04 || std::abs(c.z()) > 0.04 || c.y() < -0.03) kept.push_back(t);
  }
  block.tets = Tets(block.tets(Eigen::all, kept));
  block.regions.resize(kept.size());
  return two_bodies(block, spike(true), Vec3(0, 0.16, 0), stiff());
}
Setup wedge_wedge() {
  sinew::Setup setup = two_bodies(wedge(false), wedge(false), Vec3(0, 0, 0), stiff());
  TetMesh& mesh = setup.bodies[1].mesh;  // edge to edge, parallel
  for (Index i = 0; i < 6; ++i)
    mesh.vertices.col(i) = Vec3(mesh.vertices(0, i), 0.203 - mesh.vertices(1, i), -mesh.vertices(2, i));
  return setup;
}
Setup crossed_wedges() {
  sinew::Setup setup = wedge_wedge();
  TetMesh& mesh = setup.bodies[1].mesh;  // edge across edge
  for (Index i = 0; i < 6; ++i)
    mesh.vertices.col(i) = Vec3(mesh.vertices(2, i), mesh.vertices(1, i), -mesh.vertices(0, i));
  return setup;
}
Setup sliding_edges() {
  sinew::Setup setup = wedge_wedge();
  setup.bodies[1].velocity = Vec3(0, 0, 2);
  return setup;
}
Setup aligned_stack() {
  sinew::Setup setup = base();
  for (int b = 0; b < 10; ++b)
    setup.bodies.push_back(
        test::body("box" + std::to_string(b), box(0.1, 0.05, 0.1, 0.05), stiff(), Vec3(0, 0.0265 + 0.0515 * b, 0)));
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}
Setup mass_ratio() {
  sinew::Setup setup = base();
  setup.bodies.push_back(
      test::body("light", box(0.1, 0.1, 0.1, 0.05), test::material("neo_hookean", 1e7, 0.4, 100), Vec3(0, 0.0515, 0)));
  setup.bodies.push_back(test::body("heavy", box(0.1, 0.1, 0.1, 0.05),
                                    test::material("neo_hookean", 1e9, 0.3, 1e6, "heavy"), Vec3(0, 0.155, 0)));
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}
Setup stiffness_ratio() {
  sinew::Setup setup = base();
  setup.bodies.push_back(
      test::body("soft", box(0.1, 0.1, 0.1, 0.05), test::material("neo_hookean", 5e4, 0.4), Vec3(0, 0.0515, 0)));
  setup.bodies.push_back(test::body("hard", make_sphere(0.05, 0.03 / refinement),
                                    test::material("neo_hookean", 5e10, 0.3, 2000, "hard"), Vec3(0.01, 0.155, 0)));
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}
Setup impact() {
  sinew::Setup setup = base(0.001);
  setup.gravity.setZero();
  setup.bodies.push_back(test::body("ball", make_sphere(0.05, 0.03 / refinement), soft(), Vec3(0, 0.055, 0)));
  setup.bodies[0].velocity = Vec3(0, -100, 0);
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}
Setup plate() {
  sinew::Setup setup = base();
  setup.contact.distance = 2e-4;
  setup.bodies.push_back(test::body("plate", make_box(Vec3(0.1, 1e-3, 0.1), {8, 1, 8}),
                                    test::material("neo_hookean", 1e6, 0.4), Vec3(0, 0.06, 0)));
  setup.bodies.push_back(test::body("post", box(0.03, 0.05, 0.03, 0.025),
                                    test::material("neo_hookean", 1e8, 0.3, 1000, "post"), Vec3(0, 0.026, 0)));
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}

// A bar whose ends turn against each other until it touches itself.
Setup twisted_bar() {
  sinew::Setup setup = base(0.02);
  setup.gravity.setZero();
  setup.bodies.push_back(test::body("bar", box(0.4, 0.1, 0.1, 0.05), soft()));
  for (const double side : {-1.0, 1.0}) {
    FixSetup fix;
    fix.vertices = test::select_vertices(setup.bodies[0].mesh, [&](const Vec3& p) { return side * p.x() > 0.199; });
    Motion::Rotation rotation;
    rotation.axis = Vec3::UnitX();
    rotation.degrees.times = {0, 10};
    rotation.degrees.values = Eigen::RowVector2d(0, side * 3600);
    fix.motion.rotation = rotation;
    setup.bodies[0].fixes.push_back(fix);
  }
  return setup;
}

ObstacleSetup moving_plane(const char* name, Vec3 point, Vec3 normal, Vec3 travel, double seconds) {
  ObstacleSetup obstacle;
  obstacle.name = name;
  obstacle.plane = PlaneSetup{point, normal};
  Keyframes keys;
  keys.times = {0, seconds};
  keys.values.resize(3, 2);
  keys.values << 0, travel.x(), 0, travel.y(), 0, travel.z();
  obstacle.motion.translation = keys;
  return obstacle;
}

// Two obstacles squeeze a body to a fifth of its height.
Setup squeeze() {
  sinew::Setup setup = base(0.02);
  setup.gravity.setZero();
  setup.bodies.push_back(test::body("cube", box(0.1, 0.1, 0.1, 0.034), soft()));
  setup.obstacles.push_back(moving_plane("lower", Vec3(0, -0.0512, 0), Vec3::UnitY(), Vec3(0, 0.0404, 0), 0.5));
  setup.obstacles.push_back(moving_plane("upper", Vec3(0, 0.0512, 0), -Vec3::UnitY(), Vec3(0, -0.0404, 0), 0.5));
  return setup;
}

ObstacleSetup moving_block(const char* name, Vec3 center, Vec3 travel, double seconds) {
  const TetMesh block = make_box(Vec3(0.3, 0.1, 0.3), {1, 1, 1});
  ObstacleSetup obstacle = moving_plane(name, Vec3::Zero(), Vec3::UnitY(), travel, seconds);
  obstacle.plane.reset();
  obstacle.mesh = TriMesh{};
  obstacle.mesh->vertices = block.vertices.colwise() + center;
  obstacle.mesh->triangles = boundary_triangles(block.tets);
  return obstacle;
}

// Two blocks close on a ball to less than half its height; large triangles against small ones.
Setup closing_blocks() {
  sinew::Setup setup = base(0.01);
  setup.gravity.setZero();
  setup.bodies.push_back(test::body("ball", make_sphere(0.05, 0.03 / refinement), soft()));
  setup.obstacles.push_back(moving_block("lower", Vec3(0, -0.102, 0), Vec3(0.01, 0.03, 0), 0.2));
  setup.obstacles.push_back(moving_block("upper", Vec3(0, 0.102, 0), Vec3(-0.01, -0.03, 0), 0.2));
  return setup;
}

const Scenario scenarios[] = {
    {"spike_in_hole", spike_in_hole, 20},
    {"closing_blocks", closing_blocks, 24},
    {"spike_on_spike", spike_spike, 15},
    {"spike_on_face", spike_on_face, 15},
    {"parallel_wedges", wedge_wedge, 15},
    {"crossed_wedges", crossed_wedges, 15},
    {"sliding_edges", sliding_edges, 15},
    {"aligned_stack", aligned_stack, 15},
    {"mass_ratio", mass_ratio, 15},
    {"stiffness_ratio", stiffness_ratio, 20},
    {"impact", impact, 20},
    {"thin_plate", plate, 20},
    {"twisted_bar", twisted_bar, 50},
    {"squeeze", squeeze, 26},
};

void jitter(Setup& setup, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1e-4, 1e-4);
  for (BodySetup& body : setup.bodies) {
    const Vec3 shift(uniform(random), 0.5e-4 + 0.5 * uniform(random), uniform(random));
    body.mesh.vertices.colwise() += shift;
  }
}

struct Case {
  Scenario scenario;
  const char* method;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.scenario.name << " by " << c.method;
}

// The scenes are small: without a number of handles every body would have one.
Setup setup_of(const Case& c) {
  sinew::Setup setup = c.scenario.make();
  setup.solver.method = c.method;
  setup.solver.handles = 6 * static_cast<int>(setup.bodies.size());
  setup.solver.multilevel.cache = false;
  return setup;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* method : {"newton", "multilevel", "adaptive"})
    for (const Scenario& scenario : scenarios) cases.push_back({scenario, method});
  return cases;
}

class Robustness : public ::testing::TestWithParam<Case> {};

TEST_P(Robustness, NeverIntersectsNorInverts) {
  Simulation simulation(build_system(setup_of(GetParam())));
  bool touched = false;
  test::run_checked(simulation, GetParam().scenario.steps,
                    [&](const StepReport& report) { touched |= report.contacts > 0; });
  EXPECT_TRUE(touched) << "the scenario must be one of contact";
}

TEST_P(Robustness, LongTenJitteredStarts) {
  refinement = 2.5;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    sinew::Setup setup = setup_of(GetParam());
    jitter(setup, seed);
    Simulation simulation(build_system(std::move(setup)));
    test::run_checked(simulation, 2 * GetParam().scenario.steps);
  }
  refinement = 1;
}

INSTANTIATE_TEST_SUITE_P(Scenes, Robustness, ::testing::ValuesIn(all_cases()), [](const auto& info) {
  return info.param.method + std::string("_") + info.param.scenario.name;
});

TEST(Robustness, TimeStepsFromTinyToHuge) {
  for (const double h : {1e-4, 1e-3, 1e-2, 1e-1}) {
    sinew::Setup setup = stiffness_ratio();
    setup.time.step = h;
    Simulation simulation(build_system(std::move(setup)));
    SCOPED_TRACE(h);
    test::run_checked(simulation, 10);
  }
}

// Ten boxes on top of each other come to rest, within the tolerance of the solver, and stay where they are.
TEST(Robustness, TenStackedBodiesRest) {
  sinew::Setup setup = aligned_stack();
  setup.solver.tolerance = 1e-4;
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, 60);
  const Points settled = simulation.state().x;
  test::run_checked(simulation, 20);
  EXPECT_LT(simulation.state().v.leftCols(simulation.system().dynamic_count).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT((simulation.state().x - settled).cwiseAbs().maxCoeff(), 20 * 0.01 * 1e-4);
}

// Obstacles that leave a body no room must end in a step that says so, never in an intersection.
TEST(Robustness, JammedBodyIsReportedAndNeverIntersects) {
  sinew::Setup setup = base(0.02);
  setup.gravity.setZero();
  setup.solver.max_iterations = 60;
  setup.bodies.push_back(test::body("cube", box(0.1, 0.1, 0.1, 0.05), soft()));
  setup.obstacles.push_back(moving_plane("lower", Vec3(0, -0.0512, 0), Vec3::UnitY(), Vec3(0, 0.06, 0), 0.2));
  setup.obstacles.push_back(moving_plane("upper", Vec3(0, 0.0512, 0), -Vec3::UnitY(), Vec3(0, -0.06, 0), 0.2));
  Simulation simulation(build_system(std::move(setup)));
  bool reported = false;
  for (int s = 0; s < 10; ++s) {
    const StepReport report = simulation.step();
    const State& state = simulation.state();
    ASSERT_TRUE(find_intersections(simulation.system().collision, state.x).empty());
    ASSERT_TRUE(find_below_planes(simulation.system().collision, state.x, state.planes).empty());
    ASSERT_GT(report.min_jacobian, 0);
    reported |= !report.converged && !report.reason.empty();
  }
  EXPECT_TRUE(reported);
}

// A press that goes further than the body lets it, and back: what was blocked comes free again.
TEST(Robustness, ABlockedPressThatRetractsSetsTheBodyFree) {
  sinew::Setup setup = base();
  setup.contact.friction = 0;
  setup.contact.distance = 0;
  setup.bodies.push_back(test::body("cube", make_box(Vec3::Constant(0.1), {3, 3, 3}), soft(), Vec3(0, 0.06, 0)));
  setup.obstacles.push_back(test::floor_plane());
  ObstacleSetup press = moving_plane("press", Vec3(0, 0.12, 0), -Vec3::UnitY(), Vec3::Zero(), 1);
  press.motion.translation = Keyframes{{0, 0.3, 0.6}, (MatX(3, 3) << 0, 0, 0, 0, -0.13, 0, 0, 0, 0).finished()};
  setup.obstacles.push_back(press);
  Simulation simulation(build_system(std::move(setup)));
  bool blocked = false;
  for (int s = 0; s < 60; ++s) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(
        find_below_planes(simulation.system().collision, simulation.state().x, simulation.state().planes).empty());
    ASSERT_GT(report.min_jacobian, 0);
    blocked |= !report.converged;
    if (s >= 40) {
      EXPECT_TRUE(report.converged) << report.step << ": " << report.reason;
    }
  }
  EXPECT_TRUE(blocked);
}

// A block on a turntable goes round with it.
TEST(Robustness, ASpinningPlaneCarriesABlock) {
  sinew::Setup setup = base(0.01);
  setup.contact.friction = 1;
  setup.bodies.push_back(test::body("block", box(0.1, 0.05, 0.1, 0.05), stiff(), Vec3(0.1, 0.0255, 0)));
  ObstacleSetup table = test::floor_plane();
  Motion::Rotation rotation;
  rotation.axis = Vec3::UnitY();
  rotation.degrees.times = {0, 1};
  rotation.degrees.values = Eigen::RowVector2d(0, 90);
  table.motion.rotation = rotation;
  setup.obstacles.push_back(table);
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, 50);
  const double angle = EIGEN_PI / 4;
  const Vec3 expected = 0.1 * Vec3(std::cos(angle), 0, -std::sin(angle));
  Vec3 center = test::center_of_mass(simulation, 0);
  center.y() = 0;
  EXPECT_LT((center - expected).norm(), 2e-3);
}

}  // namespace
}  // namespace sinew
