// A block on an inclined plane: it slides with g (sin a - mu cos a), or sticks with the creep of smoothed friction.
#include <cmath>
#include <string>

#include "support/bodies.h"
#include "support/run.h"

namespace sinew::incline_test {
namespace {

constexpr double g = 9.81;

struct Incline {
  double slope = 0.5;  // tan a
  double size = 0.1;   // of the block [m]
  double young = 1e7;
  double distance = 1e-3;
  double stiffness = 1e6;
  std::string method = "newton";

  double angle() const { return std::atan(slope); }
  // Turned about z by a: the block moves along `down`.
  Mat3 turn() const { return Eigen::AngleAxisd(-angle(), Vec3::UnitZ()).toRotationMatrix(); }
  Vec3 down() const { return turn() * Vec3::UnitX(); }

  // The block rests at the gap where the barrier about carries it: p = 6 kappa s^2 at gap = dhat (1 - s/2).
  sinew::Setup setup(double mu) const {
    const double pressure = 1000 * g * std::cos(angle()) * size;
    const double gap = distance * (1 - 0.5 * std::sqrt(pressure / (6 * stiffness)));
    sinew::Setup setup;
    setup.gravity = Vec3(0, -g, 0);
    setup.contact.friction = mu;
    setup.contact.distance = distance;
    setup.contact.stiffness = stiffness;
    setup.contact.friction_iterations = 5;
    setup.contact.slip_speed = 1e-3;
    setup.solver.method = method;
    setup.solver.handles = 4;
    setup.solver.multilevel.cache = false;
    const Index cells = method == "newton" ? 1 : 3;  // one cube has no more freedom than a handle
    TetMesh mesh = make_box(Vec3::Constant(size), {cells, cells, cells});
    mesh.vertices.row(1).array() += 0.5 * size + gap;
    mesh.vertices = (turn() * mesh.vertices).eval();
    setup.bodies.push_back(test::body("block", mesh, test::material("stable_neo_hookean", young, 0.3)));
    ObstacleSetup plane;
    plane.name = "incline";
    plane.plane = PlaneSetup{Vec3::Zero(), turn() * Vec3::UnitY()};
    setup.obstacles.push_back(plane);
    return setup;
  }
};

double speed_along(const Simulation& simulation, const Vec3& down) {
  double mass = 0;
  for (double m : simulation.system().mass) mass += m;
  return test::linear_momentum(simulation).dot(down) / mass;
}

using Case = std::tuple<double, const char*>;  // mu, method

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  return std::get<1>(info.param) + std::string("_") + std::to_string(std::lround(100 * std::get<0>(info.param)));
}

class Sliding : public ::testing::TestWithParam<Case> {};

TEST_P(Sliding, AcceleratesAsCoulombSays) {
  const auto [mu, method] = GetParam();
  Incline incline;
  incline.method = method;
  sinew::Setup setup = incline.setup(mu);
  setup.time.step = 0.005;
  setup.solver.tolerance = 1e-6;
  Simulation simulation(build_system(std::move(setup)));
  const int settle = 60, measure = 60;
  test::run_checked(simulation, settle);
  const double before = speed_along(simulation, incline.down());
  test::run_checked(simulation, measure);
  const double acceleration = (speed_along(simulation, incline.down()) - before) / (measure * 0.005);
  const double expected = g * (std::sin(incline.angle()) - mu * std::cos(incline.angle()));
  std::printf("mu %.2f: acceleration %.6f, expected %.6f m/s^2\n", mu, acceleration, expected);
  EXPECT_NEAR(acceleration, expected, 0.01 * expected);
}

INSTANTIATE_TEST_SUITE_P(BelowTheSlope, Sliding,
                         ::testing::Combine(::testing::Values(0.0, 0.1, 0.3, 0.45),
                                            ::testing::Values("newton", "multilevel")),
                         case_name);

// With default settings, whose tolerance is as large as the slip speed, and for any stiffness: contact forces, which
// the lagged friction takes over, must have settled before a step counts as converged.
TEST(Incline, DefaultSettingsAcceleratesAsCoulombSaysWhateverTheStiffness) {
  for (const double young : {1e5, 1e7, 1e9}) {
    Incline incline;
    incline.young = young;
    sinew::Setup setup = incline.setup(0.3);
    setup.contact.distance = 0;
    setup.contact.stiffness.reset();
    setup.contact.friction_iterations = 1;
    Simulation simulation(build_system(std::move(setup)));
    test::run_checked(simulation, 60);
    const double expected = 0.6 * g * (std::sin(incline.angle()) - 0.3 * std::cos(incline.angle()));
    EXPECT_NEAR(speed_along(simulation, incline.down()), expected, 0.05 * expected) << young;
  }
}

// One step that sticks within its tolerance passes for one that slides when the stop test believes the curvature of
// friction at rest. Blocks start within the contact distance, and must not stick.
struct Slide {
  double mu, young, size;
  Index cells;
  double slip_speed;
  const char* method;
  double tolerance = 0;
};

class MustSlide : public ::testing::TestWithParam<Slide> {};

TEST_P(MustSlide, WhateverTheTolerance) {
  const Slide c = GetParam();
  Incline incline;
  incline.size = c.size;
  incline.young = c.young;
  incline.method = c.method;
  incline.distance = 1e-3 * c.size;
  incline.stiffness = 1e6;
  sinew::Setup setup = incline.setup(c.mu);
  setup.bodies[0].mesh = make_box(Vec3::Constant(c.size), {c.cells, c.cells, c.cells});
  setup.bodies[0].mesh.vertices.row(1).array() += (0.5 + 0.9e-3) * c.size;
  setup.bodies[0].mesh.vertices = (incline.turn() * setup.bodies[0].mesh.vertices).eval();
  setup.contact.stiffness.reset();
  setup.contact.friction_iterations = c.slip_speed > 0 ? 50 : 1;
  setup.contact.slip_speed = c.slip_speed;
  setup.solver.tolerance = c.tolerance;
  Simulation simulation(build_system(std::move(setup)));
  const int settle = 20, measure = 60;
  test::run_checked(simulation, settle);
  const double before = speed_along(simulation, incline.down());
  test::run_checked(simulation, measure);
  const double gained = speed_along(simulation, incline.down()) - before;
  const double expected = 0.01 * measure * g * (std::sin(incline.angle()) - c.mu * std::cos(incline.angle()));
  EXPECT_NEAR(gained, expected, 0.05 * expected);
}

INSTANTIATE_TEST_SUITE_P(Incline, MustSlide,
                         ::testing::Values(Slide{0.4, 1e9, 1, 2, 0, "newton"}, Slide{0.4, 1e9, 1, 2, 0, "newton-pcg"},
                                           Slide{0.4, 1e9, 1, 2, 0, "multilevel"}, Slide{0.45, 2e11, 1, 1, 0, "newton"},
                                           Slide{0.45, 1e8, 1, 4, 0, "newton"}, Slide{0.4, 1e9, 0.2, 2, 0, "newton"},
                                           Slide{0.4, 1e7, 1, 2, 1e-4, "newton"},
                                           Slide{0.49, 1e9, 1, 2, 1e-5, "newton"},
                                           Slide{0.49, 1e9, 1, 2, 1e-5, "multilevel"},
                                           // As large as the slip speed, so that contacts may begin to slip within it.
                                           Slide{0.45, 2e11, 1, 2, 0, "newton", 1e-3},
                                           Slide{0.4, 1e9, 0.2, 2, 0, "newton-pcg", 1e-3},
                                           Slide{0.4, 1e9, 1, 2, 0, "multilevel", 1e-3}),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

class Sticking : public ::testing::TestWithParam<Case> {};

// Smoothed friction balances the slope at f1(v / slip_speed) = tan a / mu.
TEST_P(Sticking, CreepsAsTheSmoothedFrictionSays) {
  const auto [mu, method] = GetParam();
  Incline incline;
  incline.method = method;
  sinew::Setup setup = incline.setup(mu);
  setup.time.step = 0.02;
  setup.solver.tolerance = 1e-8;
  const double slip_speed = setup.contact.slip_speed;
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, 150);
  const Vec3 before = test::center_of_mass(simulation, 0);
  test::run_checked(simulation, 50);
  const double speed = (test::center_of_mass(simulation, 0) - before).dot(incline.down()) / (50 * 0.02);
  const double expected = slip_speed * (1 - std::sqrt(1 - incline.slope / mu));
  std::printf("mu %.2f: creep %.6g, expected %.6g m/s\n", mu, speed, expected);
  EXPECT_NEAR(speed, expected, 0.02 * expected);
}

INSTANTIATE_TEST_SUITE_P(AboveTheSlope, Sticking,
                         ::testing::Combine(::testing::Values(0.55, 0.7, 1.0),
                                            ::testing::Values("newton", "multilevel")),
                         case_name);

class Stopping : public ::testing::TestWithParam<Case> {};

// On level ground a block of speed v comes to rest after v^2 / (2 mu g), without ever moving back: each step of
// implicit Euler takes mu g h off its speed and goes as far as what is left.
TEST_P(Stopping, TravelsAsFarAsCoulombSays) {
  const auto [mu, method] = GetParam();
  Incline level;
  level.slope = 0;
  level.method = method;
  sinew::Setup setup = level.setup(mu);
  const double h = 0.005, speed = 0.5;
  setup.time.step = h;
  setup.solver.tolerance = 1e-6;
  setup.bodies[0].velocity = Vec3(speed, 0, 0);
  const double slip_speed = setup.contact.slip_speed;
  Simulation simulation(build_system(std::move(setup)));
  const double start = test::center_of_mass(simulation, 0).x();
  const double seconds = speed / (mu * g);
  double slowest = 0;
  test::run_checked(simulation, static_cast<int>(1.5 * seconds / h),
                    [&](const StepReport&) { slowest = std::min(slowest, speed_along(simulation, Vec3::UnitX())); });
  const double travelled = test::center_of_mass(simulation, 0).x() - start;
  const double expected = 0.5 * speed * seconds - 0.5 * speed * h;
  std::printf("mu %.2f: %.5f m, expected %.5f m\n", mu, travelled, expected);
  EXPECT_NEAR(travelled, expected, 0.02 * expected);
  EXPECT_LT(std::abs(speed_along(simulation, Vec3::UnitX())), slip_speed);
  EXPECT_GT(slowest, -slip_speed);
}

INSTANTIATE_TEST_SUITE_P(OnLevelGround, Stopping,
                         ::testing::Combine(::testing::Values(0.2, 0.5), ::testing::Values("newton", "multilevel")),
                         case_name);

// At slip_speed 1e-7 a block of one metre stays put for a minute: all of its displacement along the slope, the elastic
// sag of a stiff block included, is under 1e-5 m.
TEST(Incline, LongSticksForAMinuteAtATinySlipSpeed) {
  Incline incline;
  incline.size = 1;
  incline.young = 1e10;
  incline.distance = 1e-3;
  incline.stiffness = 1e7;
  sinew::Setup setup = incline.setup(0.7);
  setup.contact.slip_speed = 1e-7;
  setup.time.step = 0.1;
  setup.solver.tolerance = 1e-10;
  Simulation simulation(build_system(std::move(setup)));
  const Vec3 start = test::center_of_mass(simulation, 0);
  double largest = 0;
  test::run_checked(simulation, 600, [&](const StepReport&) {
    largest = std::max(largest, std::abs((test::center_of_mass(simulation, 0) - start).dot(incline.down())));
  });
  std::printf("largest displacement in 60 s: %.3g m\n", largest);
  EXPECT_LT(largest, 1e-5);
  EXPECT_GT(largest, 0);
}

}  // namespace
}  // namespace sinew::incline_test
