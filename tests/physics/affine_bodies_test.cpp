// Affine bodies against closed forms and invariants: what a rigid body of their moments does, as far as their material
// is stiff and steps are short.
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"
#include <gtest/gtest.h>

namespace sinew::affine_bodies_test {

constexpr double young = 1e8, density = 1000;

BodySetup affine(TetMesh mesh, Vec3 offset = Vec3::Zero()) {
  BodySetup body = test::body("body", std::move(mesh), test::material("neo_hookean", young, 0.3, density), offset);
  body.affine = true;
  return body;
}

sinew::Setup scene(double step, Integrator integrator = Integrator::bdf2) {
  sinew::Setup setup;
  setup.time.step = step;
  setup.time.integrator = integrator;
  setup.contact.enabled = false;
  setup.gravity.setZero();
  setup.solver.tolerance = 1e-9;
  return setup;
}

// x(t) = v t + (1 + 1/k) g t^2 / 2 after k steps of implicit Euler; the shape stays what it was.
TEST(AffineBodies, FallFreely) {
  sinew::Setup setup = scene(0.01, Integrator::implicit_euler);
  setup.gravity = Vec3(0, -9.81, 0);
  setup.bodies.push_back(affine(make_box({0.1, 0.2, 0.3}, {2, 2, 2})));
  setup.bodies[0].velocity = Vec3(1, 2, 0);
  Simulation simulation(build_system(std::move(setup)));
  const int steps = 20;
  test::run_checked(simulation, steps);
  const double t = steps * 0.01;
  const Vec3 fallen = Vec3(1, 2, 0) * t + 0.5 * (1 + 1.0 / steps) * t * t * Vec3(0, -9.81, 0);
  EXPECT_LE((test::center_of_mass(simulation, 0) - fallen).norm(), 1e-12);
  const System& system = simulation.system();
  EXPECT_LE((simulation.state().x - (system.rest.colwise() + fallen)).cwiseAbs().maxCoeff(), 1e-10);
}

// A free body of revolution: its axis goes round the angular momentum L at the rate |L| / I, I the moment of inertia
// across the axis (Goldstein, section 5.6).
TEST(AffineBodies, PrecessWithoutTorque) {
  const Vec3 size(0.1, 0.1, 0.3);
  const auto moment = [&](double a, double b) { return (a * a + b * b) / 12; };  // over the mass
  const double along = moment(size[0], size[1]), across = moment(size[0], size[2]);
  const Vec3 omega(2, 0, 12);
  const Vec3 L(across * omega[0], 0, along * omega[2]);
  const double rate = L.norm() / across, duration = 0.5;
  double before = 0;
  for (const int steps : {200, 400}) {
    sinew::Setup setup = scene(duration / steps);
    setup.bodies.push_back(affine(make_box(size, {1, 1, 2})));
    setup.bodies[0].angular_velocity = omega;
    Simulation simulation(build_system(std::move(setup)));
    const System& system = simulation.system();
    test::run_checked(simulation, steps);
    // The axis, from where the ends of the body are.
    const auto end = [&](double z) {
      Vec3 sum = Vec3::Zero();
      for (Index v = system.dynamic_count; v < system.body_vertex_count(); ++v)
        if (std::abs(system.rest(2, v) - z) < 1e-9) sum += simulation.state().x.col(v);
      return sum;
    };
    const Vec3 axis = (end(0.15) - end(-0.15)).normalized();
    const Vec3 expected = Eigen::AngleAxisd(rate * duration, L.normalized()) * Vec3::UnitZ();
    const double error = std::acos(std::min(1.0, axis.dot(expected)));
    if (before > 0) {
      EXPECT_LE(error, 0.35 * before) << "not of second order";
      EXPECT_LE(error, 0.02);
    }
    before = error;
  }
}

// A body that swings about the line through two of its vertices, which stiff springs hold: for small angles the period
// is 2 pi sqrt((I + m l^2) / (m g l)), and a little longer for larger ones: 1 + theta^2 / 16 (Landau and Lifshitz,
// section 11).
TEST(AffineBodies, SwingAsAPendulum) {
  const Vec3 size(0.04, 0.3, 0.1);
  const double mass = density * size.prod(), arm = 0.15, tilt = 0.2, g = 9.81;
  sinew::Setup setup = scene(2e-3);
  setup.gravity = Vec3(g * std::sin(tilt), -g * std::cos(tilt), 0);
  setup.bodies.push_back(affine(make_box(size, {2, 2, 1})));
  SpringSetup spring;
  spring.vertices = test::select_vertices(
      setup.bodies[0].mesh, [](const Vec3& x) { return std::abs(x[0]) < 1e-9 && std::abs(x[1] - 0.15) < 1e-9; });
  ASSERT_EQ(spring.vertices.size(), 2u);
  spring.stiffness = 1e6 * mass * g;
  for (const Index v : spring.vertices) {
    spring.point = setup.bodies[0].mesh.vertices.col(v);
    setup.bodies[0].springs.push_back(spring);
    setup.bodies[0].springs.back().vertices = {v};
  }
  Simulation simulation(build_system(std::move(setup)));
  // It starts tilt away from its rest and comes to stand there again after half a period on the other side.
  const double inertia = mass * (size[0] * size[0] + size[1] * size[1]) / 12 + mass * arm * arm;
  const double period = 2 * M_PI * std::sqrt(inertia / (mass * g * arm)) * (1 + tilt * tilt / 16);
  const auto speed = [&] { return simulation.state().v.col(0)[0] + simulation.state().v.col(1)[0]; };
  double turned = 0, last = 0, time = 0;
  while (turned == 0 && time < period && !HasFatalFailure()) {
    test::checked_step(simulation);
    time += 2e-3;
    const double now = speed();
    if (last * now < 0) turned = time - 2e-3 * now / (now - last);
    last = now;
  }
  EXPECT_NEAR(turned, period / 2, 2e-3 * period);
}

// Two bodies that meet keep their momentum, linear and angular: contact forces pull back through the weights.
TEST(AffineBodies, KeepMomentumInContact) {
  sinew::Setup setup = scene(2e-3, Integrator::implicit_euler);
  setup.contact.enabled = true;
  setup.contact.distance = 1e-3;
  setup.contact.friction = 0.3;
  setup.bodies.push_back(affine(make_sphere(0.05, 0.03)));
  setup.bodies.push_back(affine(make_box({0.1, 0.08, 0.09}, {2, 2, 2}), Vec3(0.11, 0.01, 0)));
  setup.bodies[1].name = "other";
  setup.bodies[0].velocity = Vec3(2, 0.3, 0);
  setup.bodies[0].angular_velocity = Vec3(0, 0, 10);
  Simulation simulation(build_system(std::move(setup)));
  const Vec3 p = test::linear_momentum(simulation);
  double pressed = 0;
  test::run_checked(simulation, 15, [&](const StepReport& report) {
    pressed = std::max(pressed, static_cast<double>(report.contacts));
    // Friction acts across the gap, which leaves a small moment; normal forces leave none.
    const NodalForces forces = simulation.forces();
    const System& system = simulation.system();
    Vec3 sum = Vec3::Zero(), moment = sum;
    double size = 0;
    for (Index v = 0; v < system.body_vertex_count(); ++v) {
      const Vec3 f = forces.contact.col(v), x = simulation.state().x.col(v);
      sum += f + forces.friction.col(v);
      moment += x.cross(f);
      size += f.norm();
    }
    EXPECT_LE(sum.norm(), 1e-9 * size);
    EXPECT_LE(moment.norm(), 1e-9 * size);
  });
  EXPECT_GT(pressed, 0);
  EXPECT_LE((test::linear_momentum(simulation) - p).norm(), 1e-6 * p.norm());
}

}  // namespace sinew::affine_bodies_test
