// Bodies that springs on their edges hold: closed forms of chains, invariants, contact of cloth, methods.
#include <cmath>
#include <cstring>
#include <numbers>

#include "support/bodies.h"
#include "support/run.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/method_choice.h"
#include "sinew/dynamics/methods.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

constexpr double young = 1e5, thickness = 1e-3, density = 500;

sinew::Setup sheet(const std::string& method, std::array<Index, 2> cells = {12, 12}) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::cloth("sheet", make_sheet({0.4, 0.4}, cells), test::springs(young, density, thickness, 0.05)));
  setup.time.step = 0.01;
  setup.solver.method = method;
  setup.solver.tolerance = 1e-6;
  setup.solver.iterations = 0;
  setup.solver.max_iterations = 2000;
  return setup;
}

ObstacleSetup ball(double radius, const Vec3& center) {
  ObstacleSetup obstacle;
  obstacle.name = "ball";
  const TetMesh mesh = make_sphere(radius, radius / 4);
  obstacle.mesh = compacted(mesh.vertices, boundary_triangles(mesh.tets));
  obstacle.mesh->vertices.colwise() += center;
  return obstacle;
}

double apart(const Simulation& a, const Simulation& b) {
  const Index n = a.system().dynamic_count;
  return (a.state().x.leftCols(n) - b.state().x.leftCols(n)).colwise().norm().maxCoeff();
}

// Springs along y alone: chains, each pulled down by what hangs below.
TEST(Cloth, AHangingChainIsStretchedByWhatHangsBelow) {
  const Index n = 10;
  sinew::Setup setup;
  setup.bodies.push_back(
      test::cloth("strip", make_sheet({0.1, 1}, {1, n}, Axis::z), test::springs(young, density, thickness)));
  FixSetup top;
  top.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x.y() > 0.499; });
  setup.bodies[0].fixes = {top};
  setup.contact.enabled = false;
  setup.time.step = 1e3;  // implicit Euler comes to rest at once
  setup.solver.method = "newton";
  setup.solver.tolerance = 1e-12;
  const std::shared_ptr<System> system = build_system(std::move(setup));
  std::erase_if(system->edge_springs,
                [&](const EdgeSpring& s) { return std::abs(system->rest(0, s.a) - system->rest(0, s.b)) > 1e-6; });
  Simulation simulation(system);
  for (int k = 0; k < 5; ++k) EXPECT_TRUE(simulation.step().converged);
  ASSERT_EQ(static_cast<Index>(system->edge_springs.size()), 2 * n);
  for (const EdgeSpring& spring : system->edge_springs) {
    const bool a_above = system->rest(1, spring.a) > system->rest(1, spring.b);
    const Index lower = a_above ? spring.b : spring.a;
    double below = 0;
    for (Index i = 0; i < system->dynamic_count; ++i)
      if (std::abs(system->rest(0, i) - system->rest(0, lower)) < 1e-6 &&
          system->rest(1, i) <= system->rest(1, lower) + 1e-9)
        below += system->mass[i];
    const Vec3 u = simulation.state().x.col(spring.a) - simulation.state().x.col(spring.b);
    const double expected = below * 9.81 / spring.stiffness;
    EXPECT_NEAR(u.norm() - spring.length, expected, 1e-9 * expected + 1e-12);
  }
}

// Two masses on a spring: omega^2 = k (1/m + 1/m').
TEST(Cloth, TwoMassesSwingAtTheFrequencyOfTheirSpring) {
  sinew::Setup setup = sheet("newton", {1, 1});
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.time.integrator = Integrator::newmark;
  setup.solver.tolerance = 1e-11;
  const std::shared_ptr<System> probe = build_system(setup);
  const EdgeSpring one = probe->edge_springs[0];
  const double omega = std::sqrt(one.stiffness * (1 / probe->mass[one.a] + 1 / probe->mass[one.b]));
  const int steps = 400;
  setup.time.step = 2 * std::numbers::pi / omega / steps;
  const std::shared_ptr<System> system = build_system(std::move(setup));
  system->edge_springs.resize(1);
  Simulation simulation(system);
  Points x = system->rest.leftCols(system->dynamic_count);
  const Vec3 n = (x.col(one.b) - x.col(one.a)).normalized();
  x.col(one.a) -= 0.01 * n;
  simulation.set_positions(x);
  const auto length = [&] { return (simulation.state().x.col(one.a) - simulation.state().x.col(one.b)).norm(); };
  for (int k = 0; k < steps / 2; ++k) simulation.step();
  EXPECT_NEAR(length(), one.length - 0.01, 2e-5);
  for (int k = 0; k < steps / 2; ++k) simulation.step();
  EXPECT_NEAR(length(), one.length + 0.01, 2e-5);
  const double stored = 0.5 * one.stiffness * 0.01 * 0.01;
  EXPECT_NEAR(simulation.energies().elastic, stored, 1e-2 * stored);
}

TEST(Cloth, MomentumIsKeptAndEnergyFalls) {
  for (const char* method : {"newton", "quasi_newton"}) {
    SCOPED_TRACE(method);
    sinew::Setup setup = sheet(method);
    setup.gravity.setZero();
    setup.bodies[0].velocity = Vec3(1, 2, -0.5);
    setup.bodies[0].angular_velocity = Vec3(3, 1, 2);
    Simulation simulation(build_system(std::move(setup)));
    Points x = simulation.state().x;
    x.row(0) *= 1.1;
    simulation.set_positions(x.leftCols(simulation.system().dynamic_count));
    const Vec3 before = test::linear_momentum(simulation);
    double energy = simulation.energies().elastic + simulation.energies().kinetic;
    for (int k = 0; k < 20; ++k) {
      EXPECT_TRUE(simulation.step().converged) << k;
      const double now = simulation.energies().elastic + simulation.energies().kinetic;
      EXPECT_LE(now, energy * (1 + 1e-6)) << k;
      energy = now;
    }
    EXPECT_LT((test::linear_momentum(simulation) - before).norm(), 1e-5 * before.norm());
  }
}

TEST(Cloth, FallsOverABallWithoutIntersections) {
  for (const char* method : {"newton", "newton-pcg", "quasi_newton"}) {
    SCOPED_TRACE(method);
    const bool direct = std::string(method) == "newton";
    sinew::Setup setup = sheet(method, direct ? std::array<Index, 2>{14, 14} : std::array<Index, 2>{10, 10});
    setup.solver.tolerance = 1e-3;
    setup.bodies[0].velocity = Vec3(0, -2, 0);
    setup.obstacles = {ball(0.12, Vec3(0.01, -0.13, 0.02)), test::floor_plane(-0.3)};
    setup.contact.friction = 0.3;
    setup.contact.distance = 1.5e-3;
    Simulation simulation(build_system(std::move(setup)));
    long contacts = 0;
    test::run_checked(simulation, direct ? 40 : 12,
                      [&](const StepReport& r) { contacts = std::max(contacts, r.contacts); });
    EXPECT_GT(contacts, 40);
    if (!direct) continue;
    const double hem = simulation.state().x.row(1).leftCols(simulation.system().dynamic_count).minCoeff();
    EXPECT_LT(hem, -0.15);
  }
}

// Both sides of a cloth and its own folds: it is dropped edge on.
TEST(Cloth, TouchesItself) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::cloth("strip", make_sheet({0.05, 0.5}, {3, 30}, Axis::z), test::springs(young, density, thickness, 0.02)));
  for (Index v = 0; v < setup.bodies[0].mesh.vertex_count(); ++v)  // a bend to fall along
    setup.bodies[0].mesh.vertices(2, v) += 0.01 * std::sin(20 * setup.bodies[0].mesh.vertices(1, v));
  setup.obstacles = {test::floor_plane(-0.26)};
  setup.contact.distance = 1e-3;
  setup.time.step = 0.01;
  setup.solver.method = "newton";
  setup.solver.tolerance = 1e-3;
  Simulation simulation(build_system(std::move(setup)));
  long own = 0;
  test::run_checked(simulation, 60, [&](const StepReport& r) { own = std::max(own, r.contacts); });
  EXPECT_GT(own, 100);
}

TEST(Cloth, LiesOnABodyOfTetsBesideOneOfSprings) {
  sinew::Setup setup = sheet("newton", {10, 10});
  setup.solver.tolerance = 1e-3;
  setup.bodies.push_back(test::body("block", make_box(Vec3(0.2, 0.1, 0.2), {3, 2, 3}),
                                    test::material("neo_hookean", 1e5, 0.4), Vec3(0, -0.06, 0)));
  setup.bodies.push_back(test::body("springs", make_box(Vec3(0.1, 0.1, 0.1), {2, 2, 2}),
                                    test::springs(1e5, 1000, 0, 0, "solid"), Vec3(0.3, -0.05, 0)));
  setup.obstacles = {test::floor_plane(-0.12)};
  setup.contact.friction = 0.3;
  const auto system = build_system(std::move(setup));
  EXPECT_LT(system->elastic_tet_count(), system->tet_count());
  Simulation simulation(system);
  test::run_checked(simulation, 30);
  Eigen::MatrixXd cauchy;
  std::vector<double> von_mises;
  simulation.stress(cauchy, von_mises);
  ASSERT_EQ(static_cast<Index>(von_mises.size()), system->tet_count());
  for (Index t = system->elastic_tet_count(); t < system->tet_count(); ++t) EXPECT_EQ(von_mises[t], 0);
  EXPECT_GT(*std::ranges::max_element(von_mises), 0);
  // Forces of all terms balance mass times acceleration: gravity alone on the whole, but for contact with the floor.
  EXPECT_GT(simulation.forces().elastic.cwiseAbs().maxCoeff(), 0);
  EXPECT_LT(simulation.forces().elastic.rowwise().sum().norm(), 1e-9);
}

TEST(Cloth, QuasiNewtonIsNewton) {
  for (const bool tets : {false, true}) {
    const auto scene = [&](const std::string& method) {
      sinew::Setup setup = sheet(method);
      if (tets) {
        setup.bodies[0] = test::body("beam", make_box(Vec3(0.4, 0.1, 0.1), {6, 2, 2}), test::springs(young, 1000));
      }
      setup.bodies[0].damping_stiffness = 1e-3;
      FixSetup fix;
      fix.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x.x() < -0.199; });
      setup.bodies[0].fixes = {fix};
      setup.contact.enabled = false;
      return setup;
    };
    Simulation newton(build_system(scene("newton"))), quasi(build_system(scene("quasi_newton")));
    for (int k = 0; k < 6; ++k) {
      ASSERT_TRUE(newton.step().converged);
      const StepReport report = quasi.step();
      EXPECT_TRUE(report.converged) << report.reason;
      EXPECT_LT(apart(newton, quasi), 3 * 1e-6 * 0.01) << k;
      quasi.replace(newton.state());
    }
  }
}

TEST(Cloth, ThreadsDoNotChangeBits) {
  const auto run = [](int threads) {
    const ThreadLimit limit(threads);
    sinew::Setup setup = sheet("newton", {20, 20});
    setup.solver.tolerance = 1e-3;
    setup.bodies[0].velocity = Vec3(0, -2, 0);
    setup.obstacles = {ball(0.12, Vec3(0.01, -0.13, 0.02))};
    Simulation simulation(build_system(std::move(setup)));
    for (int k = 0; k < 8; ++k) simulation.step();
    return simulation.state().x;
  };
  const Points one = run(1), two = run(2);
  EXPECT_EQ(std::memcmp(one.data(), two.data(), sizeof(double) * one.size()), 0);
}

TEST(Cloth, MethodsThatNeedEnergyDensitiesRefuseIt) {
  for (const char* method : {"multilevel", "reduced", "mixed"}) {
    EXPECT_THAT([&] { Simulation simulation(build_system(sheet(method))); },
                testing::ThrowsMessage<InputError>(fmt::format(
                    "solver.method: \"{}\" does not take body 'sheet', whose material model is mass_spring: it needs "
                    "an energy density of tets; choose one of newton, newton-pcg, quasi_newton",
                    method)));
  }
  Simulation simulation(build_system(sheet("newton")));
  EXPECT_THROW(simulation.edit(MethodEdit{"multilevel"}), InputError);
  EXPECT_TRUE(simulation.step().converged);
  EXPECT_EQ(choose_method(*build_system(sheet("auto"))).method, "newton");
}

TEST(Cloth, LoadsPullAndPressWholeFaces) {
  sinew::Setup setup = sheet("newton");
  setup.gravity.setZero();
  setup.contact.enabled = false;
  LoadSetup pull;
  pull.faces = setup.bodies[0].mesh.triangles;
  pull.vector = Vec3(0, 3, 0);  // [Pa]
  LoadSetup push = pull;
  push.kind = LoadKind::pressure;
  push.pressure = 2;  // against the normal, which is +y
  setup.bodies[0].loads = {pull, push};
  Simulation simulation(build_system(std::move(setup)));
  EXPECT_TRUE(simulation.step().converged);
  EXPECT_NEAR(test::linear_momentum(simulation).y(), (3 - 2) * 0.16 * 0.01, 1e-6);
}

}  // namespace
}  // namespace sinew
