// Bodies in a subspace turn and slide as their constraints allow, as they do in full space.
#include <functional>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew::constrained_motions_test {

struct Held {
  const char* name;
  std::function<bool(const Vec3&)> where;
  std::array<bool, 3> axes{true, true, true};
  Vec3 shift = Vec3::Zero();  // of what is held, over the run [m]
  double degrees = 0;         // about the y axis
  double until = forever;
  bool both_ends = false;
};

constexpr double length = 0.3, thickness = 0.03;

bool on_axis(const Vec3& x) {
  return std::abs(x[0] + length / 2) < 1e-9 && std::abs(x[1]) < 1e-9;
}

std::vector<Held> all_held() {
  std::vector<Held> held{{"line", on_axis},
                         {"point", [](const Vec3& x) { return on_axis(x) && std::abs(x[2]) < 1e-9; }}};
  Held part = held[0];
  part.name = "shifted";
  part.shift = Vec3(0.05, 0.03, 0);
  held.push_back(part);
  part = held[0];
  part.name = "turned";
  part.degrees = 60;
  held.push_back(part);
  part = held[0];
  part.name = "released";
  part.until = 0.1;
  held.push_back(part);
  part.name = "slider";
  part.until = forever;
  part.where = [](const Vec3& x) { return std::abs(x[1]) < 1e-9 && std::abs(x[2]) < 1e-9; };
  part.axes = {false, true, true};
  held.push_back(part);
  part = held[0];
  part.name = "two lines";
  part.both_ends = true;
  held.push_back(part);
  return held;
}

struct Subspace {
  const char *method, *kind;
  int handles;
};

constexpr Subspace subspaces[] = {{"reduced", "affine", 1}, {"reduced", "eigenmodes", 6}, {"mixed", "eigenmodes", 6},
                                  {"reduced", "sms", 4},    {"reduced", "linear", 8},     {"reduced", "derivatives", 8},
                                  {"mixed", "inertia", 8}};

sinew::Setup scene(const Held& held) {
  sinew::Setup setup;
  setup.time.step = 0.01;
  setup.time.integrator = Integrator::bdf2;
  const TetMesh mesh = make_box(Vec3(length, thickness, thickness), {8, 2, 2});
  BodySetup rod = test::body("rod", mesh, test::material("neo_hookean", 1e8, 0.3));
  for (const double side : {1.0, -1.0}) {
    if (side < 0 && !held.both_ends) continue;
    FixSetup fix;
    fix.vertices =
        test::select_vertices(mesh, [&](const Vec3& x) { return held.where(Vec3(side * x[0], x[1], x[2])); });
    fix.axes = held.axes;
    fix.until = held.until;
    if (held.shift.norm() > 0) {
      MatX ends = MatX::Zero(3, 2);
      ends.col(1) = held.shift;
      fix.motion.translation = Keyframes{{0, 0.2}, ends};
    }
    if (held.degrees != 0) {
      Motion::Rotation rotation;
      rotation.center = Vec3(-length / 2, 0, 0);
      rotation.degrees = Keyframes{{0, 0.2}, MatX{{0, held.degrees}}};
      fix.motion.rotation = rotation;
    }
    rod.fixes.push_back(fix);
  }
  if (!held.axes[0]) setup.gravity = Vec3(3, -9.81, 2);
  setup.bodies.push_back(std::move(rod));
  setup.contact.enabled = false;
  return setup;
}

Points end_of_run(const sinew::Setup& setup) {
  Simulation simulation(build_system(setup));
  for (int step = 0; step < 20; ++step) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.converged) << step << " " << report.reason;
  }
  const System& system = simulation.system();
  for (const PrescribedVertex& prescribed : system.prescribed) {
    if (!prescribed.holds_at(simulation.clock().time)) continue;
    const Vec3 target =
        system.motions[prescribed.motion].apply(system.rest.col(prescribed.vertex), simulation.clock().time);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(prescribed.axes[k] ? simulation.state().x(k, prescribed.vertex) - target[k] : 0, 0, 1e-9 * length);
  }
  return simulation.state().x;
}

class FreeMotions : public testing::TestWithParam<int> {};

// A stiff rod falls for 0.2 s as it does in full space. What differs is how it bends: less than a hundredth of its way.
TEST_P(FreeMotions, AreThoseOfFullSpace) {
  const Held held = all_held()[GetParam()];
  sinew::Setup setup = scene(held);
  setup.solver.method = "newton";
  const Points rest = build_system(setup)->rest, expected = end_of_run(setup);
  const double way = (expected - rest).colwise().norm().maxCoeff();
  ASSERT_GT(way, held.both_ends ? 0 : 0.05 * length);
  for (const Subspace& subspace : subspaces) {
    SCOPED_TRACE(std::string(held.name) + " " + subspace.method + " " + subspace.kind);
    setup.solver.method = subspace.method;
    setup.solver.subspace = subspace.kind;
    setup.solver.handles = subspace.handles;
    setup.solver.cubature_rule = !is_dense_subspace(subspace.kind) ? "stiffness"
                                 : held.degrees != 0               ? "all"
                                                                   : "energies";
    const double off = (end_of_run(setup) - expected).colwise().norm().maxCoeff();
    EXPECT_LT(off, 0.02 * way + 1e-4 * length);
  }
}

// The library of `adaptive` turns from the start.
TEST(FreeMotionsOfAdaptive, AreThoseOfFullSpace) {
  for (const std::size_t kind : {0, 1, 3}) {
    const Held held = all_held()[kind];
    sinew::Setup setup = scene(held);
    setup.solver.method = "newton";
    const Points rest = build_system(setup)->rest, expected = end_of_run(setup);
    const double way = (expected - rest).colwise().norm().maxCoeff();
    setup.solver.method = "adaptive";
    EXPECT_LT((end_of_run(setup) - expected).colwise().norm().maxCoeff(), 0.02 * way) << held.name;
  }
}

// Points are fitted to small motions: modes refuse prescribed vertices that turn in large ones, which handles follow.
TEST(FreeMotionsOfModes, RefuseLinesThatTurnWithoutAllPoints) {
  sinew::Setup setup = scene(all_held()[3]);
  setup.solver.method = "reduced";
  setup.solver.subspace = "linear";
  setup.solver.cubature_rule = "energies";
  EXPECT_THROW(Simulation(build_system(setup)), InputError);
}

// Of what is scaled where it is held, modes of small motions would have to undo the scaling elsewhere.
TEST(FreeMotionsOfModes, RefuseScaledPins) {
  sinew::Setup setup = scene(all_held()[0]);
  Motion::Scaling scaling;
  scaling.factors = Keyframes{{0, 0.2}, MatX{{1, 1.3}}};
  setup.bodies[0].fixes[0].motion.scaling = scaling;
  setup.solver.method = "reduced";
  Simulation(build_system(setup)).step();
  setup.solver.subspace = "linear";
  setup.solver.cubature_rule = "energies";
  EXPECT_THROW(Simulation(build_system(setup)), InputError);
}

// What was held and let go by another method is free in a subspace; what the scene lets go later is free from then on.
TEST(FreeMotionsAfterReleases, FallAsInFullSpace) {
  for (const char* subspace : {"eigenmodes", "linear"}) {
    for (const bool of_scene : {false, true}) {
      Held held{"line", on_axis};
      held.until = 0.04;
      sinew::Setup setup = scene(held);
      if (!of_scene) setup.bodies[0].fixes.clear();
      setup.solver.method = "newton";
      setup.solver.subspace = subspace;
      setup.solver.handles = 6;
      if (is_dense_subspace(subspace)) setup.solver.cubature_rule = "energies";
      const auto first = build_system(setup), second = build_system(setup);
      Simulation newton(first), other(second);
      newton.allow_changes(first);
      other.allow_changes(second);
      std::vector<Index> fixed_vertices;
      for (Index v = 0; v < other.system().dynamic_count; ++v)
        if (on_axis(other.system().rest.col(v))) fixed_vertices.push_back(v);
      ASSERT_FALSE(fixed_vertices.empty());
      if (!of_scene)
        for (Simulation* simulation : {&newton, &other}) simulation->hold(fixed_vertices);
      for (int step = 0; step < 10; ++step) {
        for (Simulation* simulation : {&newton, &other}) {
          if (step == 4 && !of_scene) simulation->release(fixed_vertices);
          if (step == 6 && simulation == &other) {
            const StateLoss loss = simulation->edit(MethodEdit{"reduced"});
            EXPECT_LT(loss.position, 2e-3 * length) << subspace << of_scene;
          }
          EXPECT_TRUE(simulation->step().converged);
        }
      }
      const Points& expected = newton.state().x;
      const double way = (expected - newton.system().rest).colwise().norm().maxCoeff();
      EXPECT_LT((other.state().x - expected).colwise().norm().maxCoeff(), 0.02 * way) << subspace << of_scene;
    }
  }
}

// Friction between steps is that of no step once bodies are elsewhere.
TEST(FreeMotionsAfterReleases, FrictionIsNotThatOfAnotherPlace) {
  sinew::Setup setup;
  setup.time.step = 0.01;
  setup.bodies.push_back(test::body("box", make_box(Vec3(0.1, 0.1, 0.1), {2, 2, 2}),
                                    test::material("neo_hookean", 1e5, 0.3), Vec3(0, 0.0505, 0)));
  setup.bodies[0].velocity = Vec3(1, 0, 0);
  setup.obstacles.push_back(test::floor_plane());
  setup.contact.friction = 0.5;
  setup.contact.distance = 1e-3;
  setup.solver.method = "reduced";
  setup.solver.handles = 1;
  Simulation simulation(build_system(setup));
  for (int step = 0; step < 6; ++step) simulation.step();
  EXPECT_GT(simulation.forces().friction.norm(), 0.1);
  Points x = simulation.state().x;
  x.row(1).array() += 1;
  simulation.set_positions(x);
  EXPECT_EQ(simulation.forces().friction.norm(), 0);
  EXPECT_EQ(simulation.energies().friction, 0);
}

INSTANTIATE_TEST_SUITE_P(All, FreeMotions, testing::Range(0, static_cast<int>(all_held().size())),
                         [](const auto& info) {
                           std::string name = all_held()[info.param].name;
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

}  // namespace sinew::constrained_motions_test
