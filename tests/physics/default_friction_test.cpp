// Friction with default settings: Coulomb's law at the end of every step, for bodies of any size.
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"

namespace sinew {
namespace {

constexpr double g = 9.81;

// A cube over a plane, at half of the contact distance where `gap` is not given, with all settings for friction left
// open. Gravity and the step follow the size: the same motion at any scale.
struct Cube {
  double size = 0.1, young = 1e5, mu = 0.5, slope = 0;
  double speed = 0;  // along x
  double gap = 0.5;  // of the contact distance
  Integrator integrator = Integrator::implicit_euler;
  std::string method = "newton";
  double step = 0.01;

  sinew::Setup setup() const {
    sinew::Setup setup;
    setup.time.step = step;
    setup.time.integrator = integrator;
    setup.gravity = g * Vec3(std::sin(slope), -std::cos(slope), 0);
    setup.contact.friction = mu;
    setup.contact.distance = 0.01 * size;
    setup.solver.method = method;
    setup.solver.handles = 4;
    setup.solver.multilevel.cache = false;
    TetMesh mesh = make_box(Vec3::Constant(size), {3, 3, 3});
    setup.bodies.push_back(test::body("cube", std::move(mesh), test::material("stable_neo_hookean", young, 0.3),
                                      Vec3(0, (0.5 + 0.01 * gap) * size, 0)));
    setup.bodies[0].velocity = Vec3(speed, 0, 0);
    setup.obstacles.push_back(test::floor_plane());
    return setup;
  }
};

class ThrownCube : public ::testing::TestWithParam<std::tuple<Integrator, const char*>> {};

// The normal force of the first step has to carry the cube and is ten times that at its start.
TEST_P(ThrownCube, SlidesAsFarAsCoulombSays) {
  Cube cube;
  cube.integrator = std::get<0>(GetParam());
  cube.method = std::get<1>(GetParam());
  cube.speed = 1.5;
  Simulation simulation(build_system(cube.setup()));
  const double start = test::center_of_mass(simulation, 0).x();
  double friction_impulse = 0;
  test::run_checked(simulation, 50, [&](const StepReport& report) {
    EXPECT_TRUE(report.friction_converged) << report.step;
    EXPECT_LE(report.friction_residual, 0.05);
    const NodalForces forces = simulation.forces();
    const double normal = forces.contact.row(1).sum(), friction = -forces.friction.row(0).sum();
    friction_impulse += friction * cube.step;
    if (test::linear_momentum(simulation).x() < 0.1) return;  // a cube of 1 kg
    EXPECT_NEAR(friction, cube.mu * normal, 0.05 * cube.mu * normal + 1e-3) << report.step;
  });
  // h sum f is the change of speed but for the ends, where BDF2 weighs speeds otherwise.
  EXPECT_NEAR(friction_impulse, cube.speed, 0.04 * cube.speed);
  // A cube that hops slides farther than v^2 / (2 mu g) by no more than its hops; implicit Euler less by v h / 2.
  const double expected = cube.speed * cube.speed / (2 * cube.mu * g);
  EXPECT_NEAR(test::center_of_mass(simulation, 0).x() - start, expected, 0.1 * expected);
}

INSTANTIATE_TEST_SUITE_P(Dynamic, ThrownCube,
                         ::testing::Combine(::testing::Values(Integrator::implicit_euler, Integrator::bdf2,
                                                              Integrator::newmark),
                                            ::testing::Values("newton", "multilevel", "reduced")));

class AnySize : public ::testing::TestWithParam<double> {};

// 20 degrees of slope, 0.8 holds up to 38.
TEST_P(AnySize, RestsOnASlope) {
  Cube cube;
  cube.size = GetParam();
  cube.mu = 0.8;
  cube.slope = 20 * M_PI / 180;
  cube.young = 1e6 * cube.size / 0.1;
  cube.step = 0.1 * std::sqrt(cube.size / g);
  Simulation simulation(build_system(cube.setup()));
  test::run_checked(simulation, 60);
  const double start = test::center_of_mass(simulation, 0).x();
  test::run_checked(simulation, 40);
  const double creep = (test::center_of_mass(simulation, 0).x() - start) / (40 * cube.step);  // [m/s]
  EXPECT_LT(std::abs(creep) * 0.1, 1e-3 * cube.size);
}

// Sizes a second: sqrt(size g) is the only speed of the problem.
TEST_P(AnySize, SlidesAsFarAsCoulombSays) {
  Cube cube;
  cube.size = GetParam();
  cube.young = 1e6 * cube.size / 0.1;
  cube.speed = std::sqrt(cube.size * g);
  cube.step = 0.05 * std::sqrt(cube.size / g);
  Simulation simulation(build_system(cube.setup()));
  const double start = test::center_of_mass(simulation, 0).x();
  test::run_checked(simulation, 80);
  const double expected = cube.size / (2 * cube.mu);
  EXPECT_NEAR(test::center_of_mass(simulation, 0).x() - start, expected, 0.1 * expected);
}

INSTANTIATE_TEST_SUITE_P(Cube, AnySize, ::testing::Values(5e-5, 1e-4, 1e-2, 1.0, 10.0));

// Friction follows the normal forces within the iterations: impacts, whose normal forces come from nothing, need few
// iterations more than with the friction of the step's start, which is none.
TEST(DefaultFriction, CostsFewIterations) {
  for (const char* method : {"newton", "multilevel"}) {
    SCOPED_TRACE(method);
    Cube cube;
    cube.method = method;
    cube.speed = 1.5;
    cube.gap = 5;
    int iterations[2] = {0, 0};
    double worst = 0;
    for (const bool follows : {false, true}) {
      sinew::Setup setup = cube.setup();
      if (!follows) setup.contact.friction_iterations = 1;
      setup.bodies[0].velocity.y() = -2;
      Simulation simulation(build_system(std::move(setup)));
      for (int step = 0; step < 15; ++step) {
        const StepReport report = simulation.step();
        ASSERT_TRUE(report.converged) << report.step;
        iterations[follows] += report.newton_iterations;
        if (follows) worst = std::max(worst, report.friction_residual);
      }
    }
    EXPECT_LE(worst, 0.05);
    EXPECT_LE(iterations[1], 1.4 * iterations[0]);  // twice as many with rounds after convergence alone
  }
}

// A solution with friction as it was lagged first is not lost where rounds run out of iterations: the step ends there,
// says how far friction is off, and counts as failed if that is too far.
TEST(DefaultFriction, RoundsThatDoNotEndLeaveTheSolutionBeforeThem) {
  Cube cube;
  cube.speed = 1.5;
  sinew::Setup once = cube.setup(), open = cube.setup();
  once.contact.friction_iterations = 1;
  Simulation single(build_system(std::move(once)));
  const StepReport one_round = single.step();
  ASSERT_TRUE(one_round.converged);
  ASSERT_FALSE(one_round.friction_converged);
  // Friction follows in half of the iterations; then there is no room for a further round.
  int ended = 0;
  for (int more = 0; more < 12; ++more) {
    SCOPED_TRACE(more);
    sinew::Setup setup = open;
    setup.solver.max_iterations = one_round.newton_iterations + more;
    Simulation simulation(build_system(std::move(setup)));
    const StepReport report = simulation.step();
    if (report.friction_iterations < 2) continue;
    ++ended;
    EXPECT_EQ(report.friction_converged, report.friction_residual <= 0.05);
    EXPECT_EQ(report.converged, report.friction_converged) << report.reason;
    EXPECT_LE(report.newton_iterations, one_round.newton_iterations + more + 1);
  }
  EXPECT_GT(ended, 0);
}

}  // namespace
}  // namespace sinew
