// Paths of equilibria through limit points, against closed forms.
#include <cmath>
#include <numbers>

#include "support/bodies.h"
#include "support/run.h"

#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/mesh/surface.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {
namespace {

// The unbalanced force of a state, computed anew, over the largest force of a term. Springs that balance each other
// leave that force at zero: then what is unbalanced is rounding.
double path_imbalance(const Simulation& simulation) {
  const State& state = simulation.state();
  StepContext context;
  prepare_step(simulation.system(), state, state.time, 1, context);
  IncrementalPotential potential(simulation.system());
  potential.begin_step(context, state.contact_stiffness);
  Points g;
  potential.gradient(state.x, g);
  constexpr double rounding = 1e-8;  // [N]
  return potential.residual(g, {}) / std::max(potential.largest_force(state.x), 1e3 * rounding);
}

struct FollowedPath {
  std::vector<double> limits;  // loads
  std::vector<StepReport> reports;
};

// Follows the path to its end, and checks each point.
FollowedPath follow(Simulation& simulation, const std::function<void(const StepReport&)>& after = {}) {
  FollowedPath path;
  while (!simulation.path_ended() && !::testing::Test::HasFailure()) {
    const StepReport report = test::checked_step(simulation);
    EXPECT_LT(path_imbalance(simulation), simulation.system().setup.solver.force_tolerance) << "step " << report.step;
    for (const double load : report.path->limit_points) path.limits.push_back(load);
    path.reports.push_back(report);
    if (after) after(report);
  }
  return path;
}

// ---- A von Mises truss: every vertex of a stiff block, which moves along y alone, hangs between two springs, whose
// far ends are `truss_width` to the sides and `truss_height` below.
constexpr double truss_width = 1, truss_height = 0.3, truss_stiffness = 1000;  // [m], [m], [N/m]

double truss_rest() {
  return std::hypot(truss_width, truss_height);
}

// Force downwards on 16 springs whose upper ends are at height y: 16 k y (L/l - 1).
double truss_force(double y) {
  return 16 * truss_stiffness * y * (truss_rest() / std::hypot(truss_width, y) - 1);
}

// dF/dy = 0 at l = (L a^2)^(1/3).
double truss_limit() {
  const double l = std::cbrt(truss_rest() * truss_width * truss_width);
  return truss_force(std::sqrt(l * l - truss_width * truss_width));
}

sinew::Setup truss_setup() {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 500;
  setup.time.continuation = ContinuationSetup{};
  setup.solver.method = "newton";
  const TetMesh mesh = make_box(Vec3(0.2, 0.2, 0.2), {1, 1, 1});
  BodySetup block = test::body("block", mesh, test::material("neo_hookean", 1e8, 0.3));
  FixSetup guide;
  guide.axes = {true, false, true};
  for (Index v = 0; v < mesh.vertex_count(); ++v) {
    guide.vertices.push_back(v);
    for (const double side : {-1.0, 1.0}) {
      SpringSetup spring;
      spring.vertices = {v};
      spring.point = mesh.vertices.col(v) + Vec3(side * truss_width, -truss_height, 0);
      spring.stiffness = truss_stiffness;
      spring.length = truss_rest();
      block.springs.push_back(spring);
    }
  }
  block.fixes.push_back(guide);
  LoadSetup load;
  load.kind = LoadKind::force;
  load.faces = boundary_triangles(mesh.tets);
  load.vector = Vec3(0, -1.5 * truss_limit(), 0);
  block.loads.push_back(load);
  setup.bodies.push_back(block);
  return setup;
}

double truss_motion(const Simulation& simulation) {
  const System& system = simulation.system();
  const Points u = simulation.state().x - system.rest;
  return -u.row(1).leftCols(system.dynamic_count).mean();
}

TEST(Continuation, VonMisesTrussSnapsThroughAsInTheClosedForm) {
  Simulation simulation(build_system(truss_setup()));
  bool unstable = false;
  const FollowedPath path = follow(simulation, [&](const StepReport& report) {
    const double y = truss_height - truss_motion(simulation);
    EXPECT_NEAR(1.5 * truss_limit() * report.time, truss_force(y), 1e-4 * truss_limit()) << "step " << report.step;
    unstable = unstable || !report.path->stable();
    // The stiffness is negative where the load falls.
    EXPECT_EQ(report.path->stable(), report.path->load_rate > 0) << "step " << report.step;
  });
  ASSERT_EQ(path.limits.size(), 2u);
  EXPECT_NEAR(path.limits[0], 1 / 1.5, 1e-3);
  EXPECT_NEAR(path.limits[1], -1 / 1.5, 1e-3);
  EXPECT_TRUE(unstable);
  EXPECT_EQ(simulation.time(), 1);
  EXPECT_GT(truss_motion(simulation), 2 * truss_height);
  EXPECT_LT(path.reports.size(), 80u);
  EXPECT_THROW(simulation.step(), InputError);
}

// The load is the motion of the upper ends of soft springs, one for each vertex: with 8 springs of stiffness c, whose
// ends go down by t D, the block is at the depth w with F(h - w) = 8 c (t D - w).
TEST(Continuation, MotionOfSpringsSnapsTheTruss) {
  constexpr double soft = 50, travel = 2.5;  // [N/m], [m]
  sinew::Setup setup = truss_setup();
  BodySetup& block = setup.bodies[0];
  block.loads.clear();
  for (Index v = 0; v < block.mesh.vertex_count(); ++v) {
    SpringSetup spring;
    spring.vertices = {v};
    spring.point = block.mesh.vertices.col(v);
    spring.stiffness = soft;
    spring.motion.translation = Keyframes{{0, 1}, (MatX(3, 2) << 0, 0, 0, -travel, 0, 0).finished()};
    block.springs.push_back(spring);
  }
  Simulation simulation(build_system(std::move(setup)));
  const FollowedPath path = follow(simulation, [&](const StepReport& report) {
    const double w = truss_motion(simulation);
    EXPECT_NEAR(truss_force(truss_height - w), 8 * soft * (report.time * travel - w), 1e-3 * truss_limit());
  });
  EXPECT_EQ(path.limits.size(), 2u);
  EXPECT_EQ(simulation.time(), 1);
}

// A plate that goes down presses the block down: the load is the motion of an obstacle.
TEST(Continuation, MotionOfAnObstacleIsALoad) {
  for (const bool plane : {true, false}) {
    constexpr double gap = 1e-3, travel = 0.08;
    sinew::Setup setup = truss_setup();
    setup.bodies[0].loads.clear();
    setup.bodies[0].materials[0] = test::material("neo_hookean", 1e7, 0.3);
    setup.contact.enabled = true;
    setup.contact.distance = 2 * gap;
    ObstacleSetup press;
    press.name = "press";
    if (plane) {
      press.plane = PlaneSetup{Vec3(0, 0.1 + gap, 0), -Vec3::UnitY()};
    } else {
      const TetMesh box = make_box(Vec3(1, 0.2, 1), {2, 1, 2});
      press.mesh = TriMesh{box.vertices.colwise() + Vec3(0, 0.2 + gap, 0), boundary_triangles(box.tets)};
    }
    press.motion.translation = Keyframes{{0, 1}, (MatX(3, 2) << 0, 0, 0, -travel, 0, 0).finished()};
    setup.obstacles.push_back(press);
    Simulation simulation(build_system(std::move(setup)));
    follow(simulation);
    EXPECT_EQ(simulation.time(), 1);
    EXPECT_NEAR(truss_motion(simulation), travel, 2 * gap);
  }
}

TEST(Continuation, PathEndsAtALargestDisplacement) {
  sinew::Setup setup = truss_setup();
  setup.time.continuation->most_motion = truss_height;
  Simulation simulation(build_system(std::move(setup)));
  follow(simulation);
  EXPECT_GE(truss_motion(simulation), truss_height);
  EXPECT_LT(simulation.time(), 0.2);
}

TEST(Continuation, ResumedRunHasTheBitsOfAWholeOne) {
  for (const bool contact : {false, true}) {
    sinew::Setup setup = truss_setup();
    setup.contact.enabled = contact;
    setup.obstacles.push_back(test::floor_plane(-0.1 - 0.9 * truss_height));
    const auto system = build_system(std::move(setup));
    Simulation whole(system), first(system), second(system);
    int steps = 0;
    while (!whole.path_ended() && steps < 30) steps = whole.step().step;
    EXPECT_EQ(whole.path_ended(), contact);
    for (int step = 0; step < steps - 2; ++step) first.step();
    ArchiveWriter archive("", "checkpoint");
    first.save(archive);
    second.load(ArchiveReader::from_bytes(archive.bytes(), "checkpoint", "test"));
    for (int step = steps - 2; step < steps; ++step) second.step();
    EXPECT_EQ(second.state().x, whole.state().x);
    EXPECT_EQ(second.time(), whole.time());
    EXPECT_EQ(second.path_ended(), contact);
  }
}

// The block lands on an obstacle while it snaps: the load, which falls, rises again.
TEST(Continuation, SnapOntoAnObstacleIntersectsNothing) {
  for (const bool plane : {true, false}) {
    sinew::Setup setup = truss_setup();
    setup.contact.enabled = true;
    setup.contact.distance = 2e-3;
    setup.bodies[0].materials[0] = test::material("neo_hookean", 1e7, 0.3);
    const double top = -0.1 - 0.9 * truss_height;
    if (plane) {
      setup.obstacles.push_back(test::floor_plane(top));
    } else {
      const TetMesh box = make_box(Vec3(1, 0.2, 1), {2, 1, 2});
      ObstacleSetup obstacle;
      obstacle.name = "anvil";
      obstacle.mesh = TriMesh{box.vertices.colwise() + Vec3(0, top - 0.1, 0), boundary_triangles(box.tets)};
      setup.obstacles.push_back(obstacle);
    }
    const auto system = build_system(std::move(setup));
    Simulation simulation(system);
    long contacts = 0;
    double least = 1;
    const FollowedPath path = follow(simulation, [&](const StepReport& report) {
      contacts = report.contacts;
      least = std::min(least, report.min_distance);
    });
    EXPECT_GT(contacts, 0);
    EXPECT_GT(least, 0);
    EXPECT_EQ(simulation.time(), 1);
    ASSERT_EQ(path.limits.size(), 2u);
    EXPECT_NEAR(path.limits[0], 1 / 1.5, 1e-3);
    // Contact begins within the contact distance of where the free path would be.
    EXPECT_NEAR(path.limits[1], truss_force(0.1 * truss_height) / (1.5 * truss_limit()), 0.05);
    EXPECT_LT(truss_motion(simulation), 0.9 * truss_height);
  }
}

// ---- A shallow hinged arch of the shape y = e sin(pi x / L) under the load q sin(pi x / L).
constexpr double arch_span = 1, arch_thickness = 1.0 / 150, arch_width = 0.01,
                 arch_modulus = 1e9;  // [m], [m], [m], [Pa]

// Rise over radius of gyration. Below sqrt(16) the arch does not tilt on its way.
constexpr double rise_ratio = 3.5;

double gyration() {
  return arch_thickness / std::sqrt(12.0);
}

// Load per length at the amplitude a of the shape, with one mode and a uniform thrust (Fung and Kaplan 1952):
//   q = (pi/L)^4 (E I (e - a) + E A (e^2 - a^2) a / 4).
double arch_load(double ratio) {
  const double EA = arch_modulus * arch_thickness * arch_width, r = gyration();
  const double bending = rise_ratio - ratio, thrust = (rise_ratio * rise_ratio - ratio * ratio) * ratio / 4;
  return std::pow(std::numbers::pi / arch_span, 4) * EA * r * r * r * (bending + thrust);
}

// dq/da = 0 at a^2 = (e^2 - 4 r^2) / 3.
double arch_limit(double side) {
  return arch_load(side * std::sqrt((rise_ratio * rise_ratio - 4) / 3));
}

sinew::Setup arch_setup(Index cells) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 200;
  setup.time.continuation = ContinuationSetup{};
  setup.solver.method = "newton";
  TetMesh mesh = make_box(Vec3(arch_span, arch_thickness, arch_width), {cells, 2, 1});
  const auto shape = [](double x) { return std::cos(std::numbers::pi * x / arch_span); };  // x from -L/2 to L/2
  const Points rest = mesh.vertices;
  FixSetup hinge;  // the middle line of each end
  hinge.vertices = test::select_vertices(
      mesh, [](const Vec3& p) { return std::abs(p.x()) > 0.4999 * arch_span && std::abs(p.y()) < 1e-9; });
  for (Index v = 0; v < mesh.vertex_count(); ++v)
    mesh.vertices(1, v) += rise_ratio * gyration() * shape(mesh.vertices(0, v));
  const Triangles all = boundary_triangles(mesh.tets);
  std::vector<LoadSetup> loads;
  for (Index f = 0; f < all.cols(); ++f) {
    Vec3 middle = Vec3::Zero();
    for (int k = 0; k < 3; ++k) middle += rest.col(all(k, f)) / 3;
    if (middle.y() < 0.4999 * arch_thickness) continue;
    LoadSetup load;
    load.kind = LoadKind::traction;
    load.faces = all.col(f);
    load.vector = Vec3(0, -1.4 * arch_limit(1) / arch_width * shape(middle.x()), 0);
    loads.push_back(load);
  }
  make_quadratic(mesh);
  setup.bodies.push_back(test::body("arch", mesh, test::material("neo_hookean", arch_modulus, 0)));
  setup.bodies[0].elements = Elements::quadratic;
  setup.bodies[0].fixes.push_back(hinge);
  for (LoadSetup& load : loads) setup.bodies[0].loads.push_back(load);
  return setup;
}

TEST(Continuation, ShallowArchSnapsThroughAsInTheClosedForm) {
  Simulation simulation(build_system(arch_setup(24)));
  int unstable = 0;
  const FollowedPath path = follow(simulation, [&](const StepReport& report) {
    EXPECT_LE(report.path->negative_pivots, 1) << "step " << report.step;
    unstable += !report.path->stable();
  });
  ASSERT_EQ(path.limits.size(), 2u);
  const double full = 1.4 * arch_limit(1);
  EXPECT_NEAR(path.limits[0] * full / arch_limit(1), 1, 0.02);
  EXPECT_NEAR(path.limits[1] * full, arch_limit(-1), 0.02 * arch_limit(1));
  EXPECT_GT(unstable, 3);
  EXPECT_EQ(simulation.time(), 1);
}

// ---- What is refused.

void expect_refused(const std::function<void(sinew::Setup&)>& change, const std::string& word) {
  sinew::Setup setup = truss_setup();
  change(setup);
  try {
    Simulation simulation(build_system(std::move(setup)));
    for (int step = 0; step < 2; ++step) simulation.step();
    ADD_FAILURE() << word << " is not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

TEST(Continuation, RefusesWhatItCannotFollow) {
  expect_refused([](sinew::Setup& s) { s.solver.method = "multilevel"; }, "multilevel");
  expect_refused(
      [](sinew::Setup& s) {
        s.contact.enabled = true;
        s.contact.friction = 0.3;
        s.obstacles.push_back(test::floor_plane(-2));
      },
      "friction");
  expect_refused(
      [](sinew::Setup& s) {
        s.bodies[0].springs.clear();
        s.bodies[0].fixes.clear();
      },
      "nothing holds body 'block'");
  expect_refused([](sinew::Setup& s) { s.bodies[0].loads.clear(); }, "no load changes");
  expect_refused([](sinew::Setup& s) { s.bodies[0].fixes[0].until = 0.5; }, "until");
}

// A path that the smallest step cannot follow, since an obstacle is in its way, ends with an error. The state stays.
TEST(Continuation, FailedStepLeavesTheStateAsItWas) {
  sinew::Setup setup = truss_setup();
  setup.contact.enabled = true;
  setup.obstacles.push_back(test::floor_plane(-0.15));
  setup.time.continuation->first = setup.time.continuation->smallest = setup.time.continuation->largest = 5;
  Simulation simulation(build_system(std::move(setup)));
  const Points before = simulation.state().x;
  EXPECT_THROW(simulation.step(), SimulationError);
  EXPECT_EQ(simulation.state().x, before);
  EXPECT_EQ(simulation.clock().step, 0);
}

}  // namespace
}  // namespace sinew
