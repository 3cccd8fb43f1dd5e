// Changes between steps: the next step is that of a simulation built with the new values, from the same state.
#include <algorithm>
#include <cmath>
#include <functional>

#include "support/bodies.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/edit.h"

namespace sinew {
namespace {

// Those of the surface at x = 0.2.
Triangles end_faces(const TetMesh& mesh) {
  std::vector<Index> corners;
  const Triangles all = boundary_triangles(mesh.tets);
  for (Eigen::Index f = 0; f < all.cols(); ++f) {
    if (std::ranges::any_of(all.col(f), [&](Index v) { return std::abs(mesh.vertices(0, v) - 0.2) > 1e-9; })) continue;
    corners.insert(corners.end(), all.col(f).begin(), all.col(f).end());
  }
  return Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Eigen::Index>(corners.size() / 3));
}

// A bar of two materials that falls on a plane.
sinew::Setup falling_bar(const std::string& method) {
  sinew::Setup setup;
  BodySetup body;
  body.name = "bar";
  const TetMesh mesh = make_box({0.4, 0.1, 0.1}, {8, 2, 2});
  body.mesh = mesh;
  MaterialAssignment soft = test::material("stable_neo_hookean", 1e5, 0.4);
  soft.name = "soft";
  MaterialAssignment stiff = test::material("stable_neo_hookean", 1e6, 0.3);
  stiff.name = "stiff";
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    double x = 0;
    for (int i = 0; i < 4; ++i) x += mesh.vertices(0, mesh.tets(i, t)) / 4;
    (x < 0 ? soft : stiff).tets.push_back(t);
  }
  body.materials = {soft, stiff};
  body.fixes.push_back(
      {test::select_vertices(mesh, [](const Vec3& x) { return x[0] < -0.199; }), {true, true, true}, {}, forever});
  LoadSetup load;
  load.kind = LoadKind::force;
  load.faces = end_faces(mesh);
  load.vector = Vec3(0, 0, 1);
  body.loads.push_back(load);
  SpringSetup spring;
  spring.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[0] > 0.199; });
  spring.point = Vec3(0.3, 0.1, 0);
  spring.stiffness = 5;
  body.springs.push_back(spring);
  setup.bodies.push_back(body);
  ObstacleSetup plane;
  plane.name = "floor";
  plane.plane = PlaneSetup{Vec3(0, -0.06, 0), Vec3::UnitY()};
  setup.obstacles.push_back(plane);
  setup.contact.distance = 2e-3;
  setup.contact.stiffness = 1e5;
  setup.solver.method = method;
  setup.solver.tolerance = 1e-9;
  setup.solver.max_iterations = 500;
  // What so many iterations leave is small beside what edits do.
  if (method == "quasi_newton") setup.solver.iterations = 40;
  setup.solver.handles = 4;
  setup.solver.cubature_rule = "all";
  return setup;
}

struct Running {
  std::shared_ptr<System> system;
  Simulation simulation;
  explicit Running(sinew::Setup setup) : system(build_system(std::move(setup))), simulation(system) {
    simulation.allow_changes(system);
  }
};

using Changer = std::function<void(Simulation&, const System&)>;
using Builder = std::function<void(sinew::Setup&)>;

// After some steps one simulation is edited; another is built with the new values and put into its state. Their next
// steps are alike, to a share of what the edit makes of them. scene: of both.
void expect_as_built(
    const std::string& method, const Changer& change, const Builder& build,
    const Builder& scene = [](sinew::Setup&) {}) {
  constexpr double share = 1e-4;
  sinew::Setup old = falling_bar(method);
  scene(old);
  sinew::Setup now = old;
  build(now);
  Running running(old), unchanged(old), fresh(std::move(now));
  for (int k = 0; k < 5; ++k) running.simulation.step();
  const State start = running.simulation.state();
  change(running.simulation, *running.system);
  EXPECT_EQ(running.system->contact_stiffness, fresh.system->contact_stiffness);
  for (Running* one : {&running, &unchanged, &fresh}) {
    one->simulation.replace(start);
    for (int k = 0; k < 3; ++k) EXPECT_FALSE(one->simulation.step().failed()) << method;
  }
  const Points x = fresh.simulation.state().x;
  const double difference = (running.simulation.state().x - x).colwise().norm().maxCoeff();
  const double effect = (unchanged.simulation.state().x - x).colwise().norm().maxCoeff();
  EXPECT_GT(effect, 1e-6) << method;
  EXPECT_LT(difference, share * effect) << method;
}

// Bases know the materials of the start. All vertices do not, and have no contact in reduced methods.
void of_all_vertices(sinew::Setup& setup) {
  setup.solver.subspace = "full";
  const bool reduced = setup.solver.method == "reduced" || setup.solver.method == "mixed";
  setup.contact.enabled = !reduced;
}

class Changes : public testing::TestWithParam<const char*> {};

TEST_P(Changes, Gravity) {
  expect_as_built(
      GetParam(),
      [](Simulation& s, const System&) {
        s.edit(ScalarEdit{"gravity", {1, 2, -3}});
      },
      [](sinew::Setup& setup) {
        setup.gravity = {1, 2, -3};
      });
}

// The slip speed that the scene leaves to its motion is that of the start.
TEST_P(Changes, Friction) {
  const double slip_speed = Running(falling_bar(GetParam())).system->setup.contact.slip_speed;
  ASSERT_GT(slip_speed, 0);
  expect_as_built(
      GetParam(),
      [](Simulation& s, const System&) {
        s.edit(ScalarEdit{"gravity", {3, -20, 0}});
        s.edit(ScalarEdit{"contact.friction", {0.7}});
      },
      [&](sinew::Setup& setup) {
        setup.gravity = {3, -20, 0};
        setup.contact.friction = 0.7;
        setup.contact.slip_speed = slip_speed;
      });
}

// Steps of another length, of a rule of one step: those of a simulation that was built with it.
TEST_P(Changes, TimeStep) {
  expect_as_built(
      GetParam(),
      [](Simulation& s, const System&) {
        const double before = s.time();
        s.edit(ScalarEdit{"time.step", {0.002}});
        EXPECT_EQ(s.time(), before);
      },
      [](sinew::Setup& setup) { setup.time.step = 0.002; });
}

// The number of steps and the time go on.
TEST_P(Changes, TimeStepKeepsTheClock) {
  Running running(falling_bar(GetParam()));
  for (int k = 0; k < 5; ++k) running.simulation.step();
  const Clock before = running.simulation.clock();
  running.simulation.edit(ScalarEdit{"time.step", {0.002}});
  for (int k = 1; k <= 3; ++k) {
    running.simulation.step();
    EXPECT_EQ(running.simulation.clock().step, before.step + k);
    EXPECT_DOUBLE_EQ(running.simulation.time(), before.time + 0.002 * k);
  }
}

TEST_P(Changes, Material) {
  expect_as_built(
      GetParam(),
      [](Simulation& s, const System&) {
        s.edit(MaterialEdit{"soft", {{"young", {3e5}}, {"poisson", {0.2}}}});
      },
      [](sinew::Setup& setup) {
        MaterialAssignment& soft = setup.bodies[0].materials[0];
        const std::vector<Index> tets = soft.tets;
        soft = test::material("stable_neo_hookean", 3e5, 0.2);
        soft.name = "soft";
        soft.tets = tets;
      },
      of_all_vertices);
}

// Fibers of a material that had none, in a group of tets with a material that has none after it either.
TEST_P(Changes, Fibers) {
  expect_as_built(
      GetParam(),
      [](Simulation& s, const System&) {
        s.edit(FiberEdit{"soft", {{2e5}, Vec3(1, 1, 0)}});
      },
      [](sinew::Setup& setup) {
        MaterialAssignment& soft = setup.bodies[0].materials[0];
        soft.fiber_stiffness = {2e5};
        soft.fiber_direction = Vec3(1, 1, 0).normalized();
      },
      of_all_vertices);
}

// The derivative curves of rubber that stiffens under tension, or under compression.
UserCurves spline_curves(bool tension) {
  UserCurves curves;
  const double pull = tension ? 3 : 1, push = tension ? 1 : 3;
  curves.points["a"] = {{0.3, 0.7, 1, 1.4, 2}, {-2e5 * push, -3e4 * push, 0, 3e4 * pull, 1e5 * pull}};
  curves.points["c"] = {{0.4, 1, 2}, {-1e5, 0, 1e5}};
  return curves;
}

void make_soft_of(const UserCurves& curves, sinew::Setup& setup) {
  MaterialAssignment& soft = setup.bodies[0].materials[0];
  soft.model = shared_material_model("spline")->with_curves(curves);
  soft.parameters.clear();
}

// The old instance is gone when the method is told.
TEST_P(Changes, Curves) {
  expect_as_built(
      GetParam(),
      [](Simulation& s, const System&) {
        s.edit(CurvesEdit{"soft", spline_curves(false)});
      },
      [](sinew::Setup& setup) { make_soft_of(spline_curves(false), setup); },
      [](sinew::Setup& setup) {
        of_all_vertices(setup);
        make_soft_of(spline_curves(true), setup);
      });
}

TEST_P(Changes, LoadsAndSprings) {
  expect_as_built(
      GetParam(),
      [](Simulation& s, const System& system) {
        s.edit(LoadEdit{0, {0, 3, 0}, 0});
        for (std::size_t k = 0; k < system.scene_spring_count(); ++k) s.edit(SpringEdit{k, {0.3, 0, 0.2}, 8});
      },
      [](sinew::Setup& setup) {
        setup.bodies[0].loads[0].vector = {0, 3, 0};
        setup.bodies[0].springs[0].point = Vec3(0.3, 0, 0.2);
        setup.bodies[0].springs[0].stiffness = 8;
      });
}

// A pull is a spring of the scene. One that is let go of is gone.
TEST_P(Changes, Pulls) {
  const auto pulled = [](const System& system) {
    Index best = 0;
    for (Index i = 0; i < system.dynamic_count; ++i)
      if (system.vertex_to_user[i] == 40) best = i;
    return best;
  };
  expect_as_built(
      GetParam(),
      [&](Simulation& s, const System& system) {
        s.edit(PullEdit{{1, 2}, Pull{0, {0, 0, 0}, 7}});
        s.edit(PullEdit{{1, 1}, Pull{pulled(system), {0.1, 0.2, 0.1}, 50}});
        s.edit(PullEdit{{1, 1}, Pull{pulled(system), {0.1, 0.2, 0.1}, 100}});
        s.edit(PullEdit{{1, 2}, {}});
        EXPECT_EQ(system.pulls, (std::vector<PullKey>{{1, 1}}));
        EXPECT_GT(s.energies().springs, 0);
      },
      [](sinew::Setup& setup) {
        SpringSetup spring;
        spring.vertices = {40};
        spring.point = Vec3(0.1, 0.2, 0.1);
        spring.stiffness = 100;
        setup.bodies[0].springs.push_back(spring);
      });
}

TEST_P(Changes, ReleasedPins) {
  Running running(falling_bar(GetParam())), held(falling_bar(GetParam()));
  std::vector<Index> prescribed_vertices;
  for (const PrescribedVertex& prescribed : running.system->prescribed)
    prescribed_vertices.push_back(prescribed.vertex);
  ASSERT_FALSE(prescribed_vertices.empty());
  for (Running* one : {&running, &held}) {
    for (int k = 0; k < 3; ++k) one->simulation.step();
    if (one == &running) one->simulation.release(prescribed_vertices);
    one->simulation.edit(ScalarEdit{"gravity", {0, 0, 30}});
    for (int k = 0; k < 5; ++k) one->simulation.step();
  }
  for (const Index v : prescribed_vertices) {
    EXPECT_EQ(held.simulation.state().x.col(v), held.system->rest.col(v));
    EXPECT_GT(running.simulation.state().x(2, v), running.system->rest(2, v) + 1e-3);
  }
}

// Held vertices stay where they are to rounding, and do so again after a change of method; a subspace refuses them, and
// goes on as if it had not been asked.
TEST_P(Changes, HeldVertices) {
  Running running(falling_bar(GetParam()));
  Simulation& s = running.simulation;
  for (int k = 0; k < 3; ++k) s.step();
  std::vector<Index> end;
  for (Index i = 0; i < running.system->dynamic_count; ++i)
    if (running.system->rest(0, i) > 0.199) end.push_back(i);
  end.push_back(end.front());
  const Points before = s.state().x;
  const bool subspace = s.subspace() != nullptr;
  if (subspace) {
    EXPECT_THROW(s.hold(end), InputError);
    Running other(falling_bar(GetParam()));
    for (int k = 0; k < 4; ++k) other.simulation.step();
    s.step();
    EXPECT_EQ(s.state().x, other.simulation.state().x);
    return;
  }
  s.hold(end);
  EXPECT_EQ(s.state().x, before);
  const auto still = [&] {
    for (int k = 0; k < 3; ++k) EXPECT_FALSE(s.step().failed());
    for (const Index v : end) EXPECT_LT((s.state().x.col(v) - before.col(v)).norm(), 1e-15);
  };
  s.edit(ScalarEdit{"gravity", {0, 0, 30}});
  still();
  s.edit(MethodEdit{GetParam() == std::string("newton") ? "multilevel" : "newton"});
  still();
  EXPECT_THROW(s.edit(MethodEdit{"mixed"}), InputError);
  s.release(end);
  s.step();
  for (const Index v : end) EXPECT_GT((s.state().x.col(v) - before.col(v)).norm(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Methods, Changes, testing::Values("newton", "multilevel", "reduced", "mixed", "quasi_newton"));

TEST(Change, MaterialOfCubaturePoints) {
  // The basis of the start with the new material at all tets is what full space sees in that subspace: an energy.
  for (const char* method : {"reduced", "mixed"}) {
    Running running(falling_bar(method)), full(falling_bar("newton"));
    for (int k = 0; k < 5; ++k) running.simulation.step();
    running.simulation.edit(MaterialEdit{"soft", {{"young", {7e5}}, {"poisson", {0.1}}}});
    full.simulation.edit(MaterialEdit{"soft", {{"young", {7e5}}, {"poisson", {0.1}}}});
    full.simulation.replace(running.simulation.state());
    running.simulation.replace(full.simulation.state());
    EXPECT_NEAR(running.simulation.energies().elastic, full.simulation.energies().elastic,
                1e-9 * full.simulation.energies().elastic)
        << method;
  }
}

// Energies of modal cubature, which have weights of their own: twice as stiff is twice the energy.
TEST(Change, MaterialOfModalCubature) {
  sinew::Setup setup = falling_bar("reduced");
  setup.solver.subspace = "linear";
  setup.solver.cubature_rule = "modal_forces";
  Running running(std::move(setup));
  for (int k = 0; k < 5; ++k) running.simulation.step();
  const double before = running.simulation.energies().elastic;
  EXPECT_GT(before, 0);
  running.simulation.edit(MaterialEdit{"soft", {{"young", {2e5}}, {"poisson", {0.4}}}});
  running.simulation.edit(MaterialEdit{"stiff", {{"young", {2e6}}, {"poisson", {0.3}}}});
  EXPECT_NEAR(running.simulation.energies().elastic, 2 * before, 1e-9 * before);
}

TEST(Change, MethodsFollowEachOther) {
  Running running(falling_bar("newton"));
  for (const char* method : {"mixed", "newton", "reduced", "multilevel", "newton"}) {
    for (int k = 0; k < 2; ++k) EXPECT_TRUE(running.simulation.step().converged) << method;
    const Points before = running.simulation.state().x;
    const StateLoss loss = running.simulation.edit(MethodEdit{method});
    const double moved = (running.simulation.state().x - before).colwise().norm().maxCoeff();
    EXPECT_NEAR(moved, loss.position, 1e-12) << method;
    EXPECT_LT(moved, 0.02) << method;
  }
  EXPECT_EQ(running.simulation.clock().step, 10);
  EXPECT_THROW(running.simulation.edit(MethodEdit{"nothing"}), InputError);
  EXPECT_TRUE(running.simulation.step().converged);
}

// Mixed states may be inverted; energies of other methods are infinite there, and no step leads out.
TEST(Change, AnInvertedStateStaysWithItsMethod) {
  sinew::Setup setup = falling_bar("mixed");
  for (MaterialAssignment& material : setup.bodies[0].materials) material.model = shared_material_model("neo_hookean");
  setup.contact.enabled = false;
  Running running(setup);
  const VecX start = running.simulation.coordinates();
  VecX far = start;
  for (Eigen::Index i = 0; i < far.size(); ++i) far[i] += 0.3 * std::sin(static_cast<double>(i * i));
  running.simulation.set_coordinates(far);
  for (const char* method : {"reduced", "newton"}) {
    EXPECT_THAT([&] { running.simulation.edit(MethodEdit{method}); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("inverted")))
        << method;
    EXPECT_EQ(running.system->setup.solver.method, "mixed");
  }
  running.simulation.set_coordinates(start);
  EXPECT_NO_THROW(running.simulation.edit(MethodEdit{"reduced"}));
}

TEST(Change, CurvesOfOtherMaterialsAreRefused) {
  sinew::Setup setup = falling_bar("newton");
  make_soft_of(spline_curves(true), setup);
  Running running(std::move(setup));
  Simulation& s = running.simulation;
  const auto refused = [](auto&& change, const std::string& text) {
    EXPECT_THAT(change, testing::ThrowsMessage<InputError>(text));
  };
  refused(
      [&] {
        s.edit(CurvesEdit{"stiff", spline_curves(true)});
      },
      "materials.stiff: material model 'stable_neo_hookean' has neither curves nor lists, only young [Pa] and poisson, "
      "or lambda [Pa] "
      "and mu [Pa]");
  refused(
      [&] {
        s.edit(CurvesEdit{"soft", {}});
      },
      "materials.soft: material model 'spline': missing curve a; give its points as a.x and a.dy");
  refused(
      [&] {
        s.edit(CurvesEdit{"sotf", spline_curves(true)});
      },
      "unknown material \"sotf\"; did you mean \"soft\"? the scene has \"soft\", \"stiff\"");
  refused(
      [&] {
        s.edit(MaterialEdit{"soft", {{"young", {1e5}}}});
      },
      "material model 'spline': unknown parameter 'young'; it takes curves a, b and c");
}

TEST(Change, BadValuesAreRefusedAndChangeNothing) {
  Running running(falling_bar("newton"));
  Simulation& s = running.simulation;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(s.edit(ScalarEdit{"gravity", {0, nan, 0}}), InputError);
  EXPECT_THROW(s.edit(ScalarEdit{"time.step", {0}}), InputError);
  EXPECT_THROW(s.edit(ScalarEdit{"time.step", {nan}}), InputError);
  EXPECT_THROW(s.edit(ScalarEdit{"time.step", {1e10}}), InputError);
  EXPECT_THROW(s.edit(ScalarEdit{"contact.friction", {-1}}), InputError);
  EXPECT_THROW(s.edit(ScalarEdit{"solver.iterations", {-1}}), InputError);
  EXPECT_THROW(s.edit(MaterialEdit{"rubber", {{"young", {1e5}}, {"poisson", {0.3}}}}), InputError);
  EXPECT_THROW(s.edit(MaterialEdit{"soft", {{"young", {1e5}}, {"poisson", {0.6}}}}), InputError);
  EXPECT_THROW(s.edit(MaterialEdit{"soft", {{"young", {1e5}}}}), InputError);
  EXPECT_THROW(s.edit(MaterialEdit{"soft", {{"young", {1e300}}, {"poisson", {0.3}}}}), InputError);
  EXPECT_THROW(s.edit(PullEdit{{0, 1}, Pull{-1, Vec3::Zero(), 1}}), InputError);
  EXPECT_THROW(s.edit(PullEdit{{0, 1}, Pull{0, Vec3(nan, 0, 0), 1}}), InputError);
  EXPECT_THROW(s.edit(PullEdit{{0, 1}, Pull{0, Vec3::Zero(), -1}}), InputError);
  EXPECT_THROW(s.edit(LoadEdit{7, Vec3::Zero(), 0}), InputError);
  EXPECT_THROW(s.edit(LoadEdit{0, Vec3::Zero(), 5}), InputError);  // it is a force
  EXPECT_THROW(s.edit(FiberEdit{"soft", {{-1}, Vec3(1, 0, 0)}}), InputError);
  EXPECT_THROW(s.edit(FiberEdit{"soft", {{1}, Vec3(0, 0, 0)}}), InputError);
  EXPECT_THROW(s.edit(FiberEdit{"soft", {{1, 2}, Vec3(1, 0, 0)}}), InputError);
  EXPECT_THROW(s.edit(SpringEdit{1000, Vec3::Zero(), 1}), InputError);
  EXPECT_THROW(s.release({1 << 28}), InputError);
  Running other(falling_bar("newton"));
  s.step();
  other.simulation.step();
  EXPECT_EQ(s.state().x, other.simulation.state().x);
  Simulation shared{std::shared_ptr<const System>(other.system)};
  EXPECT_THROW(shared.edit(ScalarEdit{"gravity", {0, 0, 0}}), InputError);
}

}  // namespace
}  // namespace sinew
