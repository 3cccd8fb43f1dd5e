// Order of the integrators, momenta in free flight, decay of energy.
#include <cmath>
#include <string>

#include "support/bodies.h"
#include "support/run.h"

namespace sinew {
namespace {

void use(sinew::Setup& setup, const std::string& method) {
  setup.solver.method = method;
  setup.solver.handles = 4;
  setup.solver.multilevel.cache = false;
}

Setup free_bar(Integrator integrator, double h, const std::string& method = "newton") {
  sinew::Setup setup;
  use(setup, method);
  setup.gravity.setZero();
  setup.time.integrator = integrator;
  setup.time.step = h;
  setup.contact.enabled = false;
  setup.solver.tolerance = 1e-10;
  setup.bodies.push_back(
      test::body("bar", make_box(Vec3(0.3, 0.1, 0.1), {3, 1, 1}), test::material("neo_hookean", 1e5, 0.3)));
  setup.bodies[0].velocity = Vec3(0.3, 0.1, 0);
  setup.bodies[0].angular_velocity = Vec3(0, 2, 5);
  return setup;
}

Points positions_at(Integrator integrator, double h, double end) {
  Simulation simulation(build_system(free_bar(integrator, h)));
  const int steps = static_cast<int>(std::lround(end / h));
  for (int s = 0; s < steps; ++s) EXPECT_TRUE(simulation.step().converged);
  return simulation.state().x;
}

// Richardson: with errors C h^p, |x_h - x_{h/2}| / |x_{h/2} - x_{h/4}| -> 2^p.
double measured_order(Integrator integrator, double h) {
  const double end = 0.04;
  const Points coarse = positions_at(integrator, h, end), middle = positions_at(integrator, h / 2, end),
               fine = positions_at(integrator, h / 4, end);
  return std::log2((coarse - middle).norm() / (middle - fine).norm());
}

TEST(Integrators, ImplicitEulerIsOfFirstOrder) {
  EXPECT_NEAR(measured_order(Integrator::implicit_euler, 2.5e-4), 1, 0.1);
}

TEST(Integrators, Bdf2IsOfSecondOrder) {
  EXPECT_NEAR(measured_order(Integrator::bdf2, 5e-4), 2, 0.15);
}

TEST(Integrators, NewmarkIsOfSecondOrder) {
  EXPECT_NEAR(measured_order(Integrator::newmark, 5e-4), 2, 0.15);
}

class FreeFlight : public ::testing::TestWithParam<std::tuple<Integrator, const char*>> {};

TEST_P(FreeFlight, LinearMomentumIsConserved) {
  const auto [integrator, method] = GetParam();
  sinew::Setup setup = free_bar(integrator, 0.01, method);
  setup.bodies.push_back(test::body("steel", make_box(Vec3::Constant(0.1), {1, 1, 1}),
                                    test::material("stable_neo_hookean", 1e9, 0.3), Vec3(0, 1, 0)));
  Simulation simulation(build_system(std::move(setup)));
  const Vec3 before = test::linear_momentum(simulation);
  double mass = 0;
  for (double m : simulation.system().mass) mass += m;
  for (int s = 0; s < 30; ++s) {
    ASSERT_TRUE(simulation.step().converged);
    // A residual step of size tolerance changes velocities by no more than the tolerance.
    EXPECT_LE((test::linear_momentum(simulation) - before).norm(), (s + 1) * mass * 1e-10) << s;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, FreeFlight,
                         ::testing::Combine(::testing::Values(Integrator::implicit_euler, Integrator::bdf2,
                                                              Integrator::newmark),
                                            ::testing::Values("newton", "multilevel")));

class ByMethod : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Integrators, ByMethod, ::testing::Values("newton", "multilevel"),
                         [](const auto& info) { return std::string(info.param); });

// Internal forces exert no torque about x_{t+1}: with implicit Euler sum m x_{t+1} x (v_{t+1} - v_t) = 0, hence
// L_{t+1} - L_t = sum m (x_{t+1} - x_t) x v_t = h sum m v_{t+1} x v_t.
TEST_P(ByMethod, AngularMomentumFollowsTheDiscreteIdentityOfImplicitEuler) {
  const double h = 0.005;
  Simulation simulation(build_system(free_bar(Integrator::implicit_euler, h, GetParam())));
  const System& system = simulation.system();
  double inertia = 0;
  for (Index i = 0; i < system.dynamic_count; ++i) inertia += system.mass[i] * system.rest.col(i).norm();
  for (int s = 0; s < 20; ++s) {
    const State before = simulation.state();
    ASSERT_TRUE(simulation.step().converged);
    const State& after = simulation.state();
    Vec3 change = Vec3::Zero(), expected = Vec3::Zero();
    for (Index i = 0; i < system.dynamic_count; ++i) {
      change += system.mass[i] * (after.x.col(i).cross(after.v.col(i)) - before.x.col(i).cross(before.v.col(i)));
      expected += h * system.mass[i] * after.v.col(i).cross(before.v.col(i));
    }
    EXPECT_LE((change - expected).norm(), 1e-8 * inertia) << s;
    EXPECT_GT(expected.norm(), 1e-6 * inertia) << "the identity must not be trivial";
  }
}

double total_energy(const Energies& e) {
  return e.kinetic + e.elastic + e.gravity + e.barrier;
}

TEST_P(ByMethod, EnergyDoesNotGrowInABallDrop) {
  sinew::Setup setup;
  use(setup, GetParam());
  setup.time.step = 0.005;
  setup.solver.tolerance = 1e-6;
  setup.contact.stiffness = 1e5;
  setup.contact.distance = 2e-3;
  setup.bodies.push_back(
      test::body("ball", make_sphere(0.1, 0.05), test::material("neo_hookean", 2e5, 0.4), Vec3(0, 0.15, 0)));
  setup.obstacles.push_back(test::floor_plane());
  Simulation simulation(build_system(std::move(setup)));
  const double scale = std::abs(simulation.energies().gravity);
  double energy = total_energy(simulation.energies());
  bool touched = false;
  test::run_checked(simulation, 80, [&](const StepReport& report) {
    touched |= report.contacts > 0;
    EXPECT_LE(total_energy(report.energies), energy + 1e-9 * scale) << report.step;
    energy = total_energy(report.energies);
  });
  EXPECT_TRUE(touched);
}

TEST_P(ByMethod, EnergyDoesNotGrowInASwingingBar) {
  sinew::Setup setup;
  use(setup, GetParam());
  setup.time.step = 0.01;
  setup.solver.tolerance = 1e-7;
  setup.contact.enabled = false;
  TetMesh mesh = make_box(Vec3(0.4, 0.1, 0.1), {4, 1, 1});
  setup.bodies.push_back(test::body("bar", mesh, test::material("neo_hookean", 1e5, 0.4)));
  FixSetup held;
  held.vertices = test::select_vertices(mesh, [](const Vec3& p) { return p.x() < -0.199; });
  setup.bodies[0].fixes = {held};
  Simulation simulation(build_system(std::move(setup)));
  const double scale = 1e-9 * 4 * 9.81 * 0.2;
  double energy = total_energy(simulation.energies());
  test::run_checked(simulation, 100, [&](const StepReport& report) {
    EXPECT_LE(total_energy(report.energies), energy + scale) << report.step;
    energy = total_energy(report.energies);
  });
}

// Steps that end after a few iterations, far from converged, do not gain energy either.
TEST(Integrators, UnconvergedStepsDoNotGainEnergy) {
  for (const int iterations : {1, 2, 5}) {
    sinew::Setup setup;
    setup.time.substeps = 0;
    setup.solver.max_iterations = iterations;
    setup.solver.tolerance = 1e-6;
    setup.bodies.push_back(
        test::body("ball", make_sphere(0.05, 0.03), test::material("neo_hookean", 1e5, 0.4), Vec3(0, 0.056, 0)));
    setup.bodies[0].velocity = Vec3(3, -5, 0);
    setup.bodies[0].angular_velocity = Vec3(0, 0, 40);
    setup.obstacles.push_back(test::floor_plane());
    setup.obstacles[0].plane->normal = Vec3(0.0785, 1, 0.3).normalized();  // whose bits a normalisation may change
    Simulation simulation(build_system(std::move(setup)));
    const auto total = [&] {
      const Energies e = simulation.energies();
      return e.kinetic + e.elastic + e.gravity + e.barrier + e.springs;
    };
    double last = total();
    int unconverged = 0;
    for (int step = 0; step < 30; ++step) {
      const StepReport report = simulation.step();
      const bool converged = report.converged;
      unconverged += !converged;
      EXPECT_EQ(report.reason.find("prescribed motion"), std::string::npos) << "the plane is at rest";
      if (!converged) {
        EXPECT_LE(total(), last + 1e-5 * std::abs(last)) << iterations << " iterations, step " << step;
      }
      last = total();
    }
    EXPECT_GT(unconverged, 0);
  }
}

}  // namespace
}  // namespace sinew
