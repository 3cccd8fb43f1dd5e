// The engine holds no absolute scale: the same scene in other units gives the same trajectory.
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"

namespace sinew {
namespace {

// The scene in units of which `length` make a metre and `mass` a kilogram; the second stays.
Setup scaled_drop(double length, double mass, bool automatic, const std::string& method, double tolerance) {
  const double pressure = mass / length, density = mass / (length * length * length);
  sinew::Setup setup;
  setup.gravity = Vec3(2, -9.81, 0.5) * length;
  setup.time.step = 0.01;
  setup.solver.method = method;
  setup.solver.tolerance = tolerance * length;
  setup.contact.friction = 0.4;
  setup.contact.slip_speed = 1e-3 * length;
  setup.contact.friction_iterations = 2;
  if (!automatic) {
    setup.contact.distance = 2e-3 * length;
    setup.contact.stiffness = 2e4 * pressure;
  }
  // Meshes are scaled rather than made at the new size: a primitive may round differently.
  TetMesh ball = make_sphere(0.1, 0.06);
  ball.vertices = Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()).toRotationMatrix() * ball.vertices;
  ball.vertices.row(1).array() += 0.11;
  TetMesh box = make_box(Vec3(0.1, 0.05, 0.1), {2, 1, 2});
  box.vertices.colwise() += Vec3(0.02, 0.25, 0.01);
  ball.vertices *= length;
  box.vertices *= length;
  setup.bodies.push_back(test::body("ball", ball, test::material("neo_hookean", 2e5 * pressure, 0.4, 1000 * density)));
  setup.bodies.push_back(
      test::body("box", box, test::material("stable_neo_hookean", 1e6 * pressure, 0.3, 2000 * density)));
  setup.bodies[0].velocity = setup.bodies[1].velocity = Vec3(0.5, -1.0, 0) * length;
  setup.bodies[1].velocity.y() *= 2;
  setup.bodies[1].angular_velocity = Vec3(0, 3, 1);
  setup.bodies[0].damping_stiffness = 1e-3;
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}

struct Trajectory {
  std::vector<Points> x;
  long contacts = 0;
};

Trajectory trajectory(Setup setup, int steps) {
  Simulation simulation(build_system(std::move(setup)));
  Trajectory result;
  for (int s = 0; s < steps; ++s) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.converged) << report.step << ": " << report.reason;
    result.x.push_back(simulation.state().x);
    result.contacts = std::max(result.contacts, report.contacts);
  }
  return result;
}

struct Scaling {
  int length, mass;  // powers of two
  bool automatic;    // contact distance and stiffness
  const char* method;
};

class PowersOfTwo : public ::testing::TestWithParam<Scaling> {};

TEST_P(PowersOfTwo, GiveIdenticalBits) {
  const Scaling p = GetParam();
  const double length = std::ldexp(1.0, p.length), mass = std::ldexp(1.0, p.mass);
  const int steps = 15;
  const Trajectory reference = trajectory(scaled_drop(1, 1, p.automatic, p.method, 1e-4), steps);
  const Trajectory scaled = trajectory(scaled_drop(length, mass, p.automatic, p.method, 1e-4), steps);
  EXPECT_GT(reference.contacts, 4);
  for (int s = 0; s < steps; ++s) {
    ASSERT_EQ((scaled.x[s] - length * reference.x[s]).cwiseAbs().maxCoeff(), 0) << "step " << s + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, PowersOfTwo,
                         ::testing::Values(Scaling{10, 0, false, "newton"}, Scaling{0, -7, false, "newton"},
                                           Scaling{-9, 5, true, "newton"}, Scaling{13, 21, true, "newton-pcg"}));

TEST(Units, MillimetresAndTonnesGiveTheSameTrajectory) {
  const int steps = 20;
  const Trajectory si = trajectory(scaled_drop(1, 1, false, "newton", 1e-10), steps);
  const Trajectory mm = trajectory(scaled_drop(1e3, 1e-3, false, "newton", 1e-10), steps);
  EXPECT_GT(si.contacts, 4);
  double worst = 0;
  for (int s = 0; s < steps; ++s)
    worst = std::max(worst, (mm.x[s] / 1e3 - si.x[s]).cwiseAbs().maxCoeff() / si.x[s].cwiseAbs().maxCoeff());
  std::printf("relative difference after %d steps: %.3g\n", steps, worst);
  EXPECT_LE(worst, 1e-8);
}

}  // namespace
}  // namespace sinew
