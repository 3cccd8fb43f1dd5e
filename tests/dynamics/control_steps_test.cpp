// Control between steps: in every method a scene that is controlled moves as one with the same keyframes and loads, or
// the control is refused.
#include <functional>
#include <numbers>

#include "support/bodies.h"
#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/contact/intersection.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/external_force.h"

namespace sinew::control_test {

constexpr double h = 0.01;
constexpr int steps = 4;

struct Method {
  const char* name;
  const char* subspace;  // of reduced methods
  bool is_reduced() const { return *subspace != 0; }
  bool follows_affine_maps_alone() const { return is_reduced() && std::string(subspace) != "full"; }
};
const Method methods[] = {{"newton", ""},          {"newton-pcg", ""},        {"newton-multilevel", ""},
                          {"multilevel", ""},      {"quasi_newton", ""},      {"adaptive", ""},
                          {"mixed", "eigenmodes"}, {"reduced", "eigenmodes"}, {"reduced", "inertia_derivatives"},
                          {"reduced", "full"}};

std::ostream& operator<<(std::ostream& out, const Method& method) {
  return out << method.name << " " << method.subspace;
}

void choose(const Method& method, sinew::Setup& setup) {
  setup.time.step = h;
  setup.solver.method = method.name;
  setup.solver.tolerance = 1e-9;
  setup.solver.max_iterations = 2000;  // quasi-Newton steps are many
  setup.solver.iterations = 0;
  if (!method.is_reduced()) return;
  setup.solver.tolerance = 1e-7;
  setup.solver.subspace = method.subspace;
  setup.solver.handles = 4;
  if (std::string(method.subspace) == "inertia_derivatives") setup.solver.cubature_rule = "energies";
  if (std::string(method.subspace) == "full") setup.solver.cubature_rule = "all";
}

const TetMesh& bar_mesh() {
  static const TetMesh mesh = make_box({0.4, 0.1, 0.1}, {6, 2, 2});
  return mesh;
}

std::vector<Index> end_of_bar(double side) {
  return test::select_vertices(bar_mesh(), [&](const Vec3& x) { return side * x[0] > 0.199; });
}

// A bar that is held at one end and, with a motion, gripped at the other.
sinew::Setup bar(const Method& method, std::optional<Motion> motion) {
  sinew::Setup setup;
  BodySetup body = test::body("bar", bar_mesh(), test::material("stable_neo_hookean", 1e5, 0.4));
  body.fixes.push_back({end_of_bar(-1), {true, true, true}, {}, forever});
  if (motion) {
    body.fixes.push_back({end_of_bar(1), {true, true, true}, *motion, forever});
    body.fixes.back().name = "grip";
  }
  setup.bodies.push_back(std::move(body));
  setup.contact.enabled = false;
  choose(method, setup);
  return setup;
}

struct Running {
  std::shared_ptr<System> system;
  Simulation simulation;

  explicit Running(sinew::Setup setup) : system(build_system(std::move(setup))), simulation(system) {
    simulation.allow_changes(system);
  }
  StepReport step() {
    StepReport report = simulation.step();
    EXPECT_TRUE(report.converged) << report.reason;
    return report;
  }
  Points x() const { return simulation.state().x; }
  void move_fix(const Target& target) {
    simulation.edit(fix_target(*system, 0, find_fix(*system, 0, "grip"), target, simulation.next_step()));
  }
  void move_obstacle(const Target& target) {
    simulation.edit(obstacle_target(*system, 0, target, simulation.next_step()));
  }
};

double apart(const Points& a, const Points& b) {
  return (a - b).colwise().norm().maxCoeff();
}

Course::Map turned(double degrees, const Vec3& shift) {
  Course::Map map;
  map << Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3::UnitX()).toRotationMatrix(), shift;
  return map;
}

// Keyframes at the ends of all steps: a turn about x and a shift, both uneven.
double degrees_at(int step) {
  return 2.0 * step * step;
}
Vec3 shift_at(int step) {
  return Vec3(0.002 * step, -0.001 * step * step, 0.003 * std::min(step, 2));
}
Motion keyed(bool turns) {
  std::vector<double> times;
  MatX shifts(3, steps + 1), degrees(1, steps + 1);
  for (int k = 0; k <= steps; ++k) {
    times.push_back(k * h);
    shifts.col(k) = shift_at(k);
    degrees(0, k) = degrees_at(k);
  }
  Motion motion;
  motion.translation = Keyframes{times, shifts};
  if (turns) motion.rotation = Motion::Rotation{Vec3::UnitX(), Vec3::Zero(), Keyframes{times, degrees}};
  return motion;
}

class Control : public testing::TestWithParam<Method> {};

TEST_P(Control, TargetsOfFixesMoveAsKeyframes) {
  for (const bool turns : {false, true}) {
    Running keys(bar(GetParam(), keyed(turns))), targets(bar(GetParam(), Motion()));
    for (int step = 1; step <= steps; ++step) {
      targets.move_fix(
          {.positions = {}, .transform = turned(turns ? degrees_at(step) : 0, shift_at(step)), .velocity = {}});
      keys.step();
      targets.step();
      EXPECT_LT(apart(keys.x(), targets.x()), 1e-6) << step;
    }
  }
}

TEST_P(Control, VelocitiesOfFixesGoOn) {
  Motion motion;
  motion.translation = Keyframes{{0, 1}, MatX{{0, 0.1}, {0, 0.4}, {0, 0}}};
  Running keys(bar(GetParam(), motion)), velocity(bar(GetParam(), Motion()));
  velocity.move_fix({.positions = {}, .transform = {}, .velocity = Vec3(0.1, 0.4, 0)});
  for (int step = 0; step < steps; ++step) {
    keys.step();
    velocity.step();
    EXPECT_LT(apart(keys.x(), velocity.x()), 1e-6) << step;
  }
}

TEST_P(Control, PositionsOfFixesAreReachedAndHeld) {
  Running run(bar(GetParam(), Motion()));
  const FixEntry& fix = run.system->bodies[0].fixes[1];
  Points positions(3, static_cast<Index>(fix.vertices.size()));
  const Course::Map map = turned(5, Vec3(0.01, 0, 0));
  const auto each = [&](auto&& f) {
    for (const PrescribedVertex& p : run.system->prescribed)
      if (p.entry == 1) f(p.place, p.vertex);
  };
  each([&](Index place, Index v) { positions.col(place) = map * run.system->rest.col(v).homogeneous(); });
  const auto error = [&] {
    double largest = 0;
    const Points x = run.x();
    each([&](Index place, Index v) { largest = std::max(largest, (x.col(v) - positions.col(place)).norm()); });
    return largest;
  };
  run.move_fix({.positions = positions, .transform = {}, .velocity = {}});
  for (int step = 0; step < 2; ++step) {
    run.step();
    EXPECT_LT(error(), 1e-12);
  }
  positions(1, 0) += 0.003;  // of one vertex alone
  const Target bent{.positions = positions, .transform = {}, .velocity = {}};
  if (GetParam().follows_affine_maps_alone()) {
    EXPECT_THAT([&] { run.move_fix(bent); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("by affine maps alone")));
    return;
  }
  run.move_fix(bent);
  run.step();
  EXPECT_EQ(error(), 0);
  run.move_fix({.positions = {}, .transform = {}, .velocity = Vec3(0, 0, 0.1)});
  positions.row(2).array() += h * 0.1;
  run.step();
  EXPECT_LT(error(), 1e-12);
}

// Forces as those of a load on the end of the bar.
TEST_P(Control, AddedForcesActAsALoad) {
  sinew::Setup setup = bar(GetParam(), {});
  LoadSetup load;
  load.kind = LoadKind::force;
  const std::vector<Index> end = end_of_bar(1);
  const Triangles faces = boundary_triangles(bar_mesh().tets);
  std::vector<Index> chosen;
  for (Index f = 0; f < faces.cols(); ++f)
    if (std::ranges::all_of(faces.col(f), [&](Index v) { return std::ranges::count(end, v) > 0; }))
      chosen.insert(chosen.end(), {faces(0, f), faces(1, f), faces(2, f)});
  load.faces = Eigen::Map<const Triangles>(chosen.data(), 3, static_cast<Index>(chosen.size()) / 3);
  load.vector_keys = Keyframes{{0, 2 * h, 2.5 * h}, MatX{{0, 0, 0}, {3, 3, 0}, {1, 1, 0}}};  // two steps
  sinew::Setup with_load = setup;
  with_load.bodies[0].loads.push_back(load);
  Running loaded(with_load), forced(setup);
  const FaceLoad& faces_of = loaded.system->loads[0];
  const VecX area = vertex_areas(*loaded.system, faces_of);
  std::vector<Index> vertices;
  for (Index v = 0; v < area.size(); ++v)
    if (area[v] > 0) vertices.push_back(v);
  Points forces(3, static_cast<Index>(vertices.size()));
  for (std::size_t i = 0; i < vertices.size(); ++i)
    forces.col(static_cast<Index>(i)) = area[vertices[i]] / faces_of.total_area * Vec3(0, 3, 1);
  for (int step = 0; step < steps; ++step) {
    // Two calls, which add up.
    for (int half = 0; half < 2 && step < 2; ++half)
      forced.simulation.edit(added_force(*forced.system, vertices, forces / 2, forced.simulation.next_step()));
    loaded.step();
    forced.step();
    EXPECT_LT(apart(loaded.x(), forced.x()), 1e-6) << step;
  }
  EXPECT_TRUE(forced.system->added_forces.vertices.empty());
}

// Momentum grows by f h, and no more once the step is over.
TEST_P(Control, AddedForcesChangeMomentum) {
  sinew::Setup setup = bar(GetParam(), {});
  setup.bodies[0].fixes.clear();
  setup.gravity.setZero();
  Running run(setup);
  const std::vector<Index> vertices{3, 17};
  const Points forces{{0.1, 0}, {0.2, -0.05}, {0, 0.3}};
  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    const Points v = run.simulation.state().v;
    for (Index i = 0; i < run.system->dynamic_count; ++i) sum += run.system->mass[i] * v.col(i);
    return sum;
  };
  run.simulation.edit(added_force(*run.system, vertices, forces, run.simulation.next_step()));
  run.step();
  const Vec3 expected = h * forces.rowwise().sum();
  EXPECT_LT((momentum() - expected).norm(), 1e-6 * expected.norm());
  run.step();
  EXPECT_LT((momentum() - expected).norm(), 1e-6 * expected.norm());
}

// Springs of the scene, to a point and between vertices, whose length and stiffness are set before the first step.
TEST_P(Control, SpringsAreThoseOfTheScene) {
  const auto scene = [&](double length, double stiffness) {
    sinew::Setup setup = bar(GetParam(), {});
    SpringSetup to_point;
    to_point.vertices = end_of_bar(1);
    to_point.point = Vec3(0.3, 0.1, 0);
    to_point.stiffness = stiffness;
    to_point.length = length;
    to_point.name = "cable";
    SpringSetup tendon;
    tendon.vertices = {end_of_bar(1)[0]};
    tendon.other_body = 0;
    tendon.other_vertices = {end_of_bar(-1)[0], end_of_bar(-1)[1]};
    tendon.stiffness = 10 * stiffness;
    tendon.length = length;
    setup.bodies[0].springs = {to_point, tendon};
    return setup;
  };
  Running given(scene(0.05, 8)), set(scene(0.1, 3));
  for (const PartName& part : {PartName("cable"), PartName(std::int64_t{1})}) {
    set.simulation.edit(spring_edits(*set.system, 0, part, {.length = 0.05, .stiffness = {}, .point = {}}));
    const double stiffness = std::holds_alternative<std::string>(part) ? 8 : 80;
    set.simulation.edit(spring_edits(*set.system, 0, part, {.length = {}, .stiffness = stiffness, .point = {}}));
  }
  EXPECT_THROW(spring_edits(*set.system, 0, "wire", {}), InputError);
  for (int step = 0; step < steps; ++step) {
    given.step();
    set.step();
    EXPECT_EQ(apart(given.x(), set.x()), 0);
  }
}

// Fibers that are activated pull as those that a scene activates, and shorten the bar.
TEST_P(Control, ActivationsAreThoseOfTheScene) {
  const auto scene = [&](double activation) {
    sinew::Setup setup = bar(GetParam(), {});
    if (setup.solver.cubature_rule == "energies") setup.solver.cubature_rule = "all";  // see AreRefused
    MaterialAssignment& muscle = setup.bodies[0].materials[0];
    muscle.fiber_stiffness = {2e4};
    muscle.fiber_direction = Vec3(Vec3::UnitX());
    muscle.fiber_tension = 3e4;
    muscle.activation = activation;
    return setup;
  };
  const bool is_dense = std::string(GetParam().subspace) == "inertia_derivatives";
  Running given(scene(0.7)), set(scene(0));
  set.simulation.edit(ActivationEdit{"material", 0.7});
  for (int step = 0; step < steps; ++step) {
    given.step();
    set.step();
    // Modes are those of the stiffness at the start, in which a few bend the bar and hardly shorten it.
    if (!is_dense) {
      EXPECT_LT(apart(given.x(), set.x()), 1e-6);
    }
  }
  EXPECT_LT(set.x().row(0).maxCoeff(), is_dense ? 0.19 : 0.15);  // full space: 0.134
  EXPECT_THROW(set.simulation.edit(ActivationEdit{"material", 1.1}), InputError);
}

// A block on a plate that moves.
sinew::Setup on_plate(const Method& method, const Motion& motion, bool plane) {
  sinew::Setup setup;
  setup.bodies.push_back(test::body("block", make_box({0.1, 0.1, 0.1}, {3, 3, 3}),
                                    test::material("stable_neo_hookean", 1e5, 0.3), Vec3(0, 0.0515, 0)));
  ObstacleSetup plate = test::floor_plane();
  if (!plane) {
    plate.plane.reset();
    const TetMesh box = make_box({0.4, 0.02, 0.4}, {4, 1, 4});
    plate.mesh = TriMesh{};
    plate.mesh->vertices = box.vertices;
    plate.mesh->vertices.row(1).array() -= 0.01;
    plate.mesh->triangles = boundary_triangles(box.tets);
  }
  plate.motion = motion;
  setup.obstacles.push_back(plate);
  setup.contact.distance = 0.002;
  if (std::string(method.name) != "quasi_newton") setup.contact.friction = 0.3;
  choose(method, setup);
  setup.solver.tolerance = 1e-6;
  return setup;
}

TEST_P(Control, PosesOfObstaclesMoveAsKeyframes) {
  for (const bool plane : {false, true}) {
    Running keys(on_plate(GetParam(), keyed(true), plane)), poses(on_plate(GetParam(), Motion(), plane));
    for (int step = 1; step <= 3; ++step) {
      poses.move_obstacle({.positions = {}, .transform = turned(degrees_at(step), shift_at(step)), .velocity = {}});
      keys.step();
      poses.step();
      EXPECT_LT(apart(keys.x(), poses.x()), 5e-6) << plane << " " << step;
    }
  }
}

// A plate that bulges under the block.
TEST_P(Control, DeformingObstaclesPushAndIntersectNothing) {
  Running run(on_plate(GetParam(), Motion(), false));
  const Index first = run.system->body_vertex_count(), count = run.system->obstacle_vertex_count();
  Points vertices(3, count);
  double height = 0;
  for (int step = 1; step <= 5; ++step) {
    for (Index i = 0; i < count; ++i) {
      const Vec3 rest = run.system->rest.col(first + i);
      const double bulge = 0.02 * step * std::exp(-rest.cwiseProduct(Vec3(1, 0, 1)).squaredNorm() / 0.02);
      vertices.col(run.system->obstacle_vertex_to_own[i]) = rest + Vec3(0, bulge, 0);
    }
    run.move_obstacle({.positions = vertices, .transform = {}, .velocity = {}});
    run.step();
    const Points x = run.x();
    for (Index i = 0; i < count; ++i)
      EXPECT_LT((x.col(first + i) - vertices.col(run.system->obstacle_vertex_to_own[i])).norm(), 1e-12);
    if (!GetParam().is_reduced()) {
      EXPECT_TRUE(find_intersections(run.system->collision, x).empty());
    }
    height = x.leftCols(run.system->dynamic_count).row(1).mean();
  }
  EXPECT_GT(height, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Methods, Control, testing::ValuesIn(methods), [](const auto& info) {
  std::string name = std::string(info.param.name) + (info.param.is_reduced() ? "_" : "") + info.param.subspace;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(Controls, AreRefused) {
  Running run(bar(methods[0], Motion()));
  const System& system = *run.system;
  const StepSpan next = run.simulation.next_step();
  const auto refused = [&](const std::function<void()>& call, const char* text) {
    EXPECT_THAT(call, testing::ThrowsMessage<InputError>(testing::HasSubstr(text)));
  };
  refused([&] { find_body(system, "arm"); }, "unknown name \"arm\"");
  refused([&] { find_fix(system, 0, "gripp"); }, "did you mean \"grip\"?");
  refused([&] { find_fix(system, 0, std::int64_t{2}); }, "found number 2, there are 2");
  refused([&] { fix_target(system, 0, 1, {}, next); }, "exactly one of");
  refused([&] { fix_target(system, 0, 1, {.positions = Points::Zero(3, 2), .transform = {}, .velocity = {}}, next); },
          "found 2 positions, expected 9");
  std::vector<Index> held;
  for (const PrescribedVertex& p : system.prescribed)
    if (p.entry == 1) held.push_back(p.vertex);
  run.simulation.release(held);
  refused(
      [&] {
        fix_target(system, 0, 1, {.positions = {}, .transform = {}, .velocity = Vec3(1, 0, 0)},
                   run.simulation.next_step());
      },
      "have been released");
  refused([&] { pair_friction(system, "a", "b", 0.1); }, "unknown name");
  sinew::Setup fitted = bar({"reduced", "inertia_derivatives"}, {});
  fitted.bodies[0].materials[0].fiber_stiffness = {2e4};
  fitted.bodies[0].materials[0].fiber_direction = Vec3(Vec3::UnitX());
  fitted.bodies[0].materials[0].fiber_tension = 3e4;
  refused([&] { Running{fitted}; }, "found rule \"energies\" with fibers that pull or have another rest length");
  sinew::Setup twice = bar(methods[0], Motion());
  twice.bodies[0].fixes[0].name = "grip";
  refused([&] { build_system(twice); }, "fix[1].name: \"grip\" is the name of fix[0] too");
}

}  // namespace sinew::control_test
