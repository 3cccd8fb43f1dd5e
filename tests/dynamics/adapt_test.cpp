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
#include "sinew/model/changes.h"

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

// After `steps` steps one simulation is changed; another is built changed and put into its state.
double difference_after(const std::string& method, const Changer& change, const Builder& build,
                        bool keep_state = true) {
  Running running(falling_bar(method));
  for (int k = 0; k < 5; ++k) running.simulation.step();
  const State state = running.simulation.state();
  change(running.simulation, *running.system);
  sinew::Setup setup = falling_bar(method);
  build(setup);
  Running fresh(std::move(setup));
  State start = state;
  if (!keep_state) start.contact_stiffness = fresh.system->contact_stiffness;
  fresh.simulation.replace(start);
  running.simulation.replace(start);
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    EXPECT_FALSE(running.simulation.step().failed()) << method;
    EXPECT_FALSE(fresh.simulation.step().failed()) << method;
    const Points a = running.simulation.state().x, b = fresh.simulation.state().x;
    largest = std::max(largest, (a - b).colwise().norm().maxCoeff());
  }
  // And the change matters.
  Running unchanged(falling_bar(method));
  unchanged.simulation.replace(state);
  for (int k = 0; k < 3; ++k) unchanged.simulation.step();
  const Points a = unchanged.simulation.state().x, b = fresh.simulation.state().x;
  EXPECT_GT((a - b).colwise().norm().maxCoeff(), 1e-6) << method;
  return largest;
}

class Changes : public testing::TestWithParam<const char*> {};

TEST_P(Changes, Gravity) {
  EXPECT_LT(difference_after(
                GetParam(),
                [](Simulation& s, const System&) {
                  s.set_gravity({1, 2, -3});
                },
                [](sinew::Setup& setup) {
                  setup.gravity = {1, 2, -3};
                }),
            1e-10);
}

TEST_P(Changes, Friction) {
  EXPECT_LT(difference_after(
                GetParam(),
                [](Simulation& s, const System&) {
                  s.set_gravity({3, -20, 0});
                  s.set_friction(0.7);
                },
                [](sinew::Setup& setup) {
                  setup.gravity = {3, -20, 0};
                  setup.contact.friction = 0.7;
                  setup.contact.slip_speed = 1e-3;
                }),
            1e-7);
}

TEST_P(Changes, Material) {
  const bool full = std::string(GetParam()) == "newton" || std::string(GetParam()) == "multilevel";
  if (!full) return;  // a fresh basis knows the new material: Changes.MaterialOfCubaturePoints
  EXPECT_LT(difference_after(
                GetParam(),
                [](Simulation& s, const System&) {
                  s.set_material("soft", {{"young", {3e5}}, {"poisson", {0.2}}});
                },
                [](sinew::Setup& setup) {
                  MaterialAssignment& soft = setup.bodies[0].materials[0];
                  const std::vector<Index> tets = soft.tets;
                  soft = test::material("stable_neo_hookean", 3e5, 0.2);
                  soft.name = "soft";
                  soft.tets = tets;
                },
                false),
            1e-8);
}

// Fibers of a material that had none, in a group of tets with a material that has none after it either.
TEST_P(Changes, Fibers) {
  const bool full = std::string(GetParam()) == "newton" || std::string(GetParam()) == "multilevel";
  if (!full) return;  // as above
  EXPECT_LT(difference_after(
                GetParam(),
                [](Simulation& s, const System&) {
                  s.set_fibers("soft", {{2e5}, Vec3(1, 1, 0)});
                },
                [](sinew::Setup& setup) {
                  MaterialAssignment& soft = setup.bodies[0].materials[0];
                  soft.fiber_stiffness = {2e5};
                  soft.fiber_direction = Vec3(1, 1, 0).normalized();
                },
                false),
            1e-8);
}

// The derivative curves of rubber that stiffens under tension, or under compression.
UserCurves spline_curves(bool tension) {
  UserCurves curves;
  const double pull = tension ? 3 : 1, push = tension ? 1 : 3;
  curves.points["a"] = {{0.3, 0.7, 1, 1.4, 2}, {-2e5 * push, -3e4 * push, 0, 3e4 * pull, 1e5 * pull}};
  curves.points["c"] = {{0.4, 1, 2}, {-1e5, 0, 1e5}};
  return curves;
}

sinew::Setup spline_scene(const std::string& method, const UserCurves& curves) {
  sinew::Setup setup = falling_bar(method);
  MaterialAssignment& soft = setup.bodies[0].materials[0];
  soft.model = shared_material_model("spline")->with_curves(curves);
  soft.parameters.clear();
  return setup;
}

// The old instance is gone when the method is told, and the next steps are those of a scene with the new curves.
TEST_P(Changes, Curves) {
  Running running(spline_scene(GetParam(), spline_curves(true)));
  Running fresh(spline_scene(GetParam(), spline_curves(false)));
  for (int k = 0; k < 5; ++k) running.simulation.step();
  running.simulation.set_material_curves("soft", spline_curves(false));
  const bool full = std::string(GetParam()) == "newton" || std::string(GetParam()) == "multilevel";
  if (!full) {  // a fresh basis knows the new material: energies alone
    const double energy = running.simulation.energies().elastic;
    Running newton(spline_scene("newton", spline_curves(false)));
    newton.simulation.replace(running.simulation.state());
    running.simulation.replace(newton.simulation.state());
    EXPECT_NEAR(running.simulation.energies().elastic, newton.simulation.energies().elastic, 1e-9 * energy);
    EXPECT_FALSE(running.simulation.step().failed());
    return;
  }
  State state = running.simulation.state();
  state.contact_stiffness = fresh.system->contact_stiffness;
  EXPECT_EQ(running.system->contact_stiffness, fresh.system->contact_stiffness);
  fresh.simulation.replace(state);
  running.simulation.replace(state);
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(running.simulation.step().converged);
    EXPECT_TRUE(fresh.simulation.step().converged);
  }
  EXPECT_LT((running.simulation.state().x - fresh.simulation.state().x).colwise().norm().maxCoeff(), 1e-9);
}

TEST_P(Changes, LoadsAndSprings) {
  EXPECT_LT(difference_after(
                GetParam(),
                [](Simulation& s, const System& system) {
                  s.set_load(0, {0, 3, 0}, 0);
                  for (std::size_t k = 0; k < system.scene_spring_count(); ++k) s.set_spring(k, {0.3, 0, 0.2}, 8);
                },
                [](sinew::Setup& setup) {
                  setup.bodies[0].loads[0].vector = {0, 3, 0};
                  setup.bodies[0].springs[0].point = Vec3(0.3, 0, 0.2);
                  setup.bodies[0].springs[0].stiffness = 8;
                }),
            1e-9);
}

// A pull is a spring of the scene.
TEST_P(Changes, Pulls) {
  const auto pulled = [](const System& system) {
    Index best = 0;
    for (Index i = 0; i < system.dynamic_count; ++i)
      if (system.vertex_to_user[i] == 40) best = i;
    return best;
  };
  EXPECT_LT(difference_after(
                GetParam(),
                [&](Simulation& s, const System& system) {
                  s.set_pulls({{pulled(system), {0.1, 0.2, 0.1}, 50}, {0, {0, 0, 0}, 7}});
                  s.set_pulls({{pulled(system), {0.1, 0.2, 0.1}, 100}});
                  EXPECT_GE(s.energies().springs, 0);
                },
                [](sinew::Setup& setup) {
                  SpringSetup spring;
                  spring.vertices = {40};
                  spring.point = Vec3(0.1, 0.2, 0.1);
                  spring.stiffness = 100;
                  setup.bodies[0].springs.push_back(spring);
                }),
            // Ten iterations leave an error, and pulls enter the constant matrix by another way than springs.
            GetParam() == std::string("quasi_newton") ? 1e-4 : 1e-9);
}

TEST_P(Changes, TimeStep) {
  Running running(falling_bar(GetParam()));
  for (int k = 0; k < 5; ++k) running.simulation.step();
  running.simulation.set_time_step(0.002);
  const double before = running.simulation.time();
  for (int k = 1; k <= 3; ++k) {
    running.simulation.step();
    EXPECT_NEAR(running.simulation.time(), before + 0.002 * k, 1e-12);
  }
}

TEST_P(Changes, ReleasedPins) {
  Running running(falling_bar(GetParam()));
  for (int k = 0; k < 3; ++k) running.simulation.step();
  std::vector<Index> all(running.system->dynamic_count);
  for (Index i = 0; i < running.system->dynamic_count; ++i) all[i] = i;
  running.simulation.release(all);
  running.simulation.set_gravity({0, 0, 30});
  for (int k = 0; k < 5; ++k) running.simulation.step();
  for (Index i = 0; i < running.system->dynamic_count; ++i) EXPECT_GT(running.simulation.state().x(2, i), -0.05 + 1e-3);
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
  s.set_gravity({0, 0, 30});
  still();
  s.set_method(GetParam() == std::string("newton") ? "multilevel" : "newton");
  still();
  EXPECT_THROW(s.set_method("mixed"), InputError);
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
    running.simulation.set_material("soft", {{"young", {7e5}}, {"poisson", {0.1}}});
    full.simulation.set_material("soft", {{"young", {7e5}}, {"poisson", {0.1}}});
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
  running.simulation.set_material("soft", {{"young", {2e5}}, {"poisson", {0.4}}});
  running.simulation.set_material("stiff", {{"young", {2e6}}, {"poisson", {0.3}}});
  EXPECT_NEAR(running.simulation.energies().elastic, 2 * before, 1e-9 * before);
}

TEST(Change, MethodsFollowEachOther) {
  Running running(falling_bar("newton"));
  for (const char* method : {"mixed", "newton", "reduced", "multilevel", "newton"}) {
    for (int k = 0; k < 2; ++k) EXPECT_TRUE(running.simulation.step().converged) << method;
    const Points before = running.simulation.state().x;
    const StateLoss loss = running.simulation.set_method(method);
    const double moved = (running.simulation.state().x - before).colwise().norm().maxCoeff();
    EXPECT_NEAR(moved, loss.position, 1e-12) << method;
    EXPECT_LT(moved, 0.02) << method;
  }
  EXPECT_EQ(running.simulation.clock().step, 10);
  EXPECT_THROW(running.simulation.set_method("nothing"), InputError);
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
    EXPECT_THAT([&] { running.simulation.set_method(method); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("inverted")))
        << method;
    EXPECT_EQ(running.system->setup.solver.method, "mixed");
  }
  running.simulation.set_coordinates(start);
  EXPECT_NO_THROW(running.simulation.set_method("reduced"));
}

TEST(Change, CurvesOfOtherMaterialsAreRefused) {
  Running running(spline_scene("newton", spline_curves(true)));
  Simulation& s = running.simulation;
  const auto refused = [](auto&& change, const std::string& text) {
    EXPECT_THAT(change, testing::ThrowsMessage<InputError>(text));
  };
  refused(
      [&] { s.set_material_curves("stiff", spline_curves(true)); },
      "materials.stiff: material model 'stable_neo_hookean' takes no curves, only young [Pa] and poisson, or lambda "
      "[Pa] and mu [Pa]");
  refused([&] { s.set_material_curves("soft", {}); },
          "materials.soft: material model 'spline': missing curve a; give its points as a.x and a.dy");
  refused([&] { s.set_material_curves("sotf", spline_curves(true)); },
          "material \"sotf\" is not of the scene; did you mean \"soft\"? it has \"soft\", \"stiff\"");
  refused(
      [&] {
        s.set_material("soft", {{"young", {1e5}}});
      },
      "material model 'spline': unknown parameter 'young'; it takes curves a, b and c");
  const SharedModel spline = shared_material_model("spline")->with_curves(spline_curves(true));
  refused(
      [&] { change_material_model(*running.system, "stiff", spline); },
      "materials.stiff: its model is stable_neo_hookean and cannot become spline; only the curves of a material can "
      "change");
  refused([&] { change_material_model(*running.system, "soft", shared_material_model("spline")); },
          "materials.soft: found a model without curves, expected an instance with curves");
}

TEST(Change, BadValuesAreRefusedAndChangeNothing) {
  Running running(falling_bar("newton"));
  Simulation& s = running.simulation;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(s.set_gravity({0, nan, 0}), InputError);
  EXPECT_THROW(s.set_time_step(0), InputError);
  EXPECT_THROW(s.set_time_step(nan), InputError);
  EXPECT_THROW(s.set_time_step(1e10), InputError);
  EXPECT_THROW(s.set_friction(-1), InputError);
  EXPECT_THROW(s.set_iterations(-1), InputError);
  EXPECT_THROW(s.set_material("rubber", {{"young", {1e5}}, {"poisson", {0.3}}}), InputError);
  EXPECT_THROW(s.set_material("soft", {{"young", {1e5}}, {"poisson", {0.6}}}), InputError);
  EXPECT_THROW(s.set_material("soft", {{"young", {1e5}}}), InputError);
  EXPECT_THROW(s.set_material("soft", {{"young", {1e300}}, {"poisson", {0.3}}}), InputError);
  EXPECT_THROW(s.set_pulls({{-1, Vec3::Zero(), 1}}), InputError);
  EXPECT_THROW(s.set_pulls({{0, Vec3(nan, 0, 0), 1}}), InputError);
  EXPECT_THROW(s.set_pulls({{0, Vec3::Zero(), -1}}), InputError);
  EXPECT_THROW(s.set_load(7, Vec3::Zero(), 0), InputError);
  EXPECT_THROW(s.set_load(0, Vec3::Zero(), 5), InputError);  // it is a force
  EXPECT_THROW(s.set_fibers("soft", {{-1}, Vec3(1, 0, 0)}), InputError);
  EXPECT_THROW(s.set_fibers("soft", {{1}, Vec3(0, 0, 0)}), InputError);
  EXPECT_THROW(s.set_fibers("soft", {{1, 2}, Vec3(1, 0, 0)}), InputError);
  EXPECT_THROW(s.set_spring(1000, Vec3::Zero(), 1), InputError);
  EXPECT_THROW(s.release({1 << 28}), InputError);
  Running other(falling_bar("newton"));
  s.step();
  other.simulation.step();
  EXPECT_EQ(s.state().x, other.simulation.state().x);
  Simulation shared{std::shared_ptr<const System>(other.system)};
  EXPECT_THROW(shared.set_gravity({0, 0, 0}), InputError);
}

}  // namespace
}  // namespace sinew
