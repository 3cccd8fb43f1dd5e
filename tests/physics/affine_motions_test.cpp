// Affine bodies of steel against the motions of rigid bodies: closed forms, and for the double pendulum Lagrange's
// equations. Strains of a body that turns at rate w are of the order rho w^2 s^2 / E, here below 1e-6; the rest of an
// error is that of the time steps, and falls with the order of the integrator.
#include <array>
#include <cmath>
#include <tuple>

#include "support/affine_scene.h"
#include <gtest/gtest.h>

namespace sinew::affine_motions_test {

constexpr double young = 2e11, density = 1000, g = 9.81;

// int over a brick of a^2 + b^2 over its mass, a and b the coordinates across an axis.
double moment(double a, double b) {
  return (a * a + b * b) / 12;
}

// Which way a direction of the rest state points now, of a body whose mesh has `from` and `to` among its vertices.
Vec3 direction(const Simulation& simulation, Index from, Index to) {
  const Points x = simulation.system().to_user(simulation.state().x);
  return (x.col(to) - x.col(from)).normalized();
}

double angle_between(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

Index vertex_at(const TetMesh& mesh, const Vec3& point) {
  const std::vector<Index> found =
      test::select_vertices(mesh, [&](const Vec3& x) { return (x - point).norm() < 1e-9; });
  EXPECT_EQ(found.size(), 1u);
  return found.at(0);
}

void hold(BodySetup& body, Index vertex, double stiffness) {
  SpringSetup& spring = body.springs.emplace_back();
  spring.vertices = {vertex};
  spring.point = body.mesh.vertices.col(vertex);
  spring.stiffness = stiffness;
}

void rotate(BodySetup& body, double angle, const Vec3& axis) {
  body.mesh.vertices = Eigen::AngleAxisd(angle, axis).toRotationMatrix() * body.mesh.vertices;
}

// The angle by which a brick that spins about its axis of the largest moment differs from `expected`.
double spin_error(Integrator integrator, double omega, double step, int steps, double expected) {
  sinew::Setup setup = test::free_scene(step, integrator);
  setup.bodies.push_back(test::affine_body(make_box({0.1, 0.2, 0.3}, {1, 1, 1}), young, density));
  setup.bodies[0].angular_velocity = Vec3(omega, 0, 0);
  const Index from = vertex_at(setup.bodies[0].mesh, {0.05, 0.1, -0.15}),
              to = vertex_at(setup.bodies[0].mesh, {0.05, 0.1, 0.15});
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, steps);
  return angle_between(direction(simulation, from, to), Eigen::AngleAxisd(expected, Vec3::UnitX()) * Vec3::UnitZ());
}

// A rigid body in the plane under implicit Euler: with z = exp(i theta), forces of the shape being along z,
//   Im(conj(z_n+1) (z_n+1 - 2 z_n + z_n-1)) = 0, hence tan(turn_n+1) = sin(turn_n) / (2 - cos(turn_n)),
// and tan(turn_1) = w h from z_0 and its rate.
TEST(AffineMotions, SpinUnderImplicitEuler) {
  const double omega = 20, step = 5e-3;
  const int steps = 50;
  double turn = std::atan(omega * step), angle = turn;
  for (int k = 1; k < steps; ++k) {
    turn = std::atan2(std::sin(turn), 2 - std::cos(turn));
    angle += turn;
  }
  EXPECT_LE(spin_error(Integrator::implicit_euler, omega, step, steps, angle), 1e-6);
}

// The angle is w t. Implicit Euler turns too little by (w t)^2 w h / 2 at first (the same formula); of BDF2, which is
// of second order, no more is asked than that with another factor w h.
TEST(AffineMotions, SteadySpin) {
  const double omega = 20, duration = 0.25, turned = omega * duration;
  const auto error = [&](double step) {
    return spin_error(Integrator::bdf2, omega, step, static_cast<int>(std::lround(duration / step)), turned);
  };
  EXPECT_NEAR(test::order_of(error, 2.5e-3), 2, 0.15);
  EXPECT_LE(error(2.5e-3), 0.5 * std::pow(turned * omega * 2.5e-3, 2));
}

// A free body of revolution: its axis goes round the angular momentum L at the rate |L| / I, I the moment of inertia
// across the axis (Goldstein, section 5.6).
double precession_error(double step) {
  const Vec3 size(0.1, 0.1, 0.3), omega(2, 0, 12);
  const double along = moment(size[0], size[1]), across = moment(size[0], size[2]), duration = 0.5;
  const Vec3 L(across * omega[0], 0, along * omega[2]);
  sinew::Setup setup = test::free_scene(step);
  setup.bodies.push_back(test::affine_body(make_box(size, {1, 1, 1}), young, density));
  setup.bodies[0].angular_velocity = omega;
  const Index from = vertex_at(setup.bodies[0].mesh, {0.05, 0.05, -0.15}),
              to = vertex_at(setup.bodies[0].mesh, {0.05, 0.05, 0.15});
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, static_cast<int>(std::lround(duration / step)));
  const Vec3 expected = Eigen::AngleAxisd(L.norm() / across * duration, L.normalized()) * Vec3::UnitZ();
  return angle_between(direction(simulation, from, to), expected);
}

TEST(AffineMotions, PrecessionWithoutTorque) {
  EXPECT_NEAR(test::order_of(precession_error, 2.5e-3), 2, 0.15);
  EXPECT_LE(precession_error(2.5e-3), 1e-3);
}

// A top whose tip is held: a cube on the middle of a face, its axis at the angle theta to the vertical. With the spin
// w about the axis it precesses steadily at the rates that solve I Omega^2 cos(theta) - I' w Omega + m g l = 0, I the
// moment across the axis about the tip, I' along it (Goldstein, section 5.7); the slow one is near m g l / (I' w).
// Errors of the angle of precession, here 0.8 rad, and of the tilt.
std::array<double, 2> top_errors(double step) {
  const double size = 0.1, arm = size / 2, theta = M_PI / 6, spin = 100, duration = 0.25;
  const double along = moment(size, size), across = along + arm * arm, mass = density * size * size * size;
  const double b = along * spin, a = across * std::cos(theta);
  const double rate = (b - std::sqrt(b * b - 4 * a * g * arm)) / (2 * a);
  sinew::Setup setup = test::free_scene(step);
  setup.gravity = Vec3(0, 0, -g);
  BodySetup body = test::affine_body(make_box(Vec3::Constant(size), {2, 2, 2}), young, density);
  const Index tip = vertex_at(body.mesh, {0, 0, -arm}), head = vertex_at(body.mesh, {0, 0, arm});
  rotate(body, theta, Vec3::UnitY());
  const Vec3 axis(std::sin(theta), 0, std::cos(theta));
  body.angular_velocity = rate * Vec3::UnitZ() + (spin - rate * std::cos(theta)) * axis;
  body.velocity = body.angular_velocity.cross(Vec3(arm * axis));
  hold(body, tip, 1e6 * mass * g / arm);
  setup.bodies.push_back(std::move(body));
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, static_cast<int>(std::lround(duration / step)));
  const Vec3 now = direction(simulation, tip, head);
  return {std::abs(std::atan2(now[1], now[0]) - rate * duration), std::abs(std::acos(now[2]) - theta)};
}

TEST(AffineMotions, SpinningTop) {
  for (int k = 0; k < 2; ++k)
    EXPECT_GE(test::order_of([&](double step) { return top_errors(step)[k]; }, 2.5e-4), 1.85) << k;
  const auto [turn, tilt] = top_errors(2.5e-4);
  EXPECT_LE(turn, 1e-3);
  EXPECT_LE(tilt, 1e-3);
}

// Rods that hang from an edge across their end and swing about it.
const Vec3 rod_size(0.04, 0.3, 0.1);
constexpr double rod_arm = 0.15, rod_length = 0.3;

// The vertices of a rod's edges, at its upper and its lower end.
struct Hinges {
  std::array<Index, 2> upper, lower;
};

Hinges hinges_of(const TetMesh& rod) {
  const auto at = [&](double y, double z) { return vertex_at(rod, {0, y, z}); };
  return {{at(rod_arm, -0.05), at(rod_arm, 0.05)}, {at(-rod_arm, -0.05), at(-rod_arm, 0.05)}};
}

BodySetup rod_at(double angle, const Vec3& top) {
  BodySetup rod = test::affine_body(make_box(rod_size, {2, 1, 1}), young, density);
  rod.mesh.vertices.row(1).array() -= rod_arm;
  rotate(rod, angle, Vec3::UnitZ());
  rod.mesh.vertices.colwise() += top;
  return rod;
}

// From straight down, towards x.
double angle_of(const Simulation& simulation, Index upper, Index lower) {
  const Vec3 down = direction(simulation, upper, lower);
  return std::atan2(down[0], -down[1]);
}

// The period from an amplitude is 2 pi / (w agm(1, cos(amplitude / 2))), w^2 = m g l / I about the edge (the complete
// elliptic integral by Gauss's arithmetic-geometric mean).
double pendulum_error(double step) {
  const double mass = density * rod_size.prod(), amplitude = 2;
  const double inertia = moment(rod_size[0], rod_size[1]) + rod_arm * rod_arm;
  double a = 1, b = std::cos(amplitude / 2);
  for (int k = 0; k < 6; ++k) std::tie(a, b) = std::pair(0.5 * (a + b), std::sqrt(a * b));
  const double period = 2 * M_PI / (std::sqrt(g * rod_arm / inertia) * a);

  sinew::Setup setup = test::free_scene(step);
  setup.gravity = Vec3(0, -g, 0);
  const Hinges hinges = hinges_of(make_box(rod_size, {2, 1, 1}));
  setup.bodies.push_back(rod_at(amplitude, Vec3::Zero()));
  for (const Index v : hinges.upper) hold(setup.bodies[0], v, 1e6 * mass * g / rod_arm);
  Simulation simulation(build_system(std::move(setup)));
  // After half a period it turns around at the other side: its rate is zero there, between two steps.
  double last = amplitude, before = amplitude, time = 0, turn = 0;
  while (turn == 0 && time < period && !testing::Test::HasFatalFailure()) {
    test::checked_step(simulation);
    time += step;
    const double now = angle_of(simulation, hinges.upper[0], hinges.lower[0]);
    const double rate = now - last, rate_before = last - before;  // at the middles of two steps
    if (rate > 0 && rate_before < 0) turn = time - 0.5 * step - step * rate / (rate - rate_before);
    before = last;
    last = now;
  }
  return std::abs(turn - period / 2) / period;
}

TEST(AffineMotions, Pendulum) {
  EXPECT_NEAR(test::order_of(pendulum_error, 2e-3), 2, 0.15);
  EXPECT_LE(pendulum_error(2e-3), 1e-3);
}

// Angles and rates of two rods, each hung from the end of the one before.
using Angles = Eigen::Vector4d;

// Lagrange's equations, with d = theta_1 - theta_2 and the moments A, B, C over the mass of a rod
//   A theta_1'' + C cos(d) theta_2'' + C sin(d) theta_2'^2 + (l + L) g sin(theta_1) = 0
//   C cos(d) theta_1'' + B theta_2'' - C sin(d) theta_1'^2 +       l g sin(theta_2) = 0.
Angles double_pendulum(const Angles& y) {
  const double B = moment(rod_size[0], rod_size[1]) + rod_arm * rod_arm, A = B + rod_length * rod_length;
  const double C = rod_length * rod_arm, d = y[0] - y[1];
  const double c = C * std::cos(d), s = C * std::sin(d);
  const double f = -s * y[3] * y[3] - (rod_arm + rod_length) * g * std::sin(y[0]);
  const double h = s * y[2] * y[2] - rod_arm * g * std::sin(y[1]);
  const double det = A * B - c * c;
  return {y[2], y[3], (B * f - c * h) / det, (A * h - c * f) / det};
}

Angles runge_kutta(Angles y, double duration, int steps) {
  const double h = duration / steps;
  for (int k = 0; k < steps; ++k) {
    const Angles a = double_pendulum(y), b = double_pendulum(y + h / 2 * a), c = double_pendulum(y + h / 2 * b),
                 d = double_pendulum(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y;
}

double double_pendulum_error(double step) {
  const double mass = density * rod_size.prod(), duration = 1;
  const Angles start(2, -0.5, 0, 0);
  sinew::Setup setup = test::free_scene(step);
  setup.gravity = Vec3(0, -g, 0);
  const Hinges hinges = hinges_of(make_box(rod_size, {2, 1, 1}));
  setup.bodies.push_back(rod_at(start[0], Vec3::Zero()));
  setup.bodies.push_back(rod_at(start[1], rod_length * Vec3(std::sin(start[0]), -std::cos(start[0]), 0)));
  setup.bodies[1].name = "lower";
  const double stiffness = 1e6 * mass * g / rod_length;
  for (int k = 0; k < 2; ++k) {
    hold(setup.bodies[0], hinges.upper[k], stiffness);
    SpringSetup& joint = setup.bodies[1].springs.emplace_back();
    joint.vertices = {hinges.upper[k]};
    joint.other_body = 0;
    joint.other_vertices = {hinges.lower[k]};
    joint.stiffness = stiffness;
  }
  const Index vertices = setup.bodies[0].mesh.vertex_count();
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, static_cast<int>(std::lround(duration / step)));
  const Angles expected = runge_kutta(start, duration, 4000);
  const double first = angle_of(simulation, hinges.upper[0], hinges.lower[0]),
               second = angle_of(simulation, vertices + hinges.upper[0], vertices + hinges.lower[0]);
  return std::hypot(std::remainder(first - expected[0], 2 * M_PI), std::remainder(second - expected[1], 2 * M_PI));
}

TEST(AffineMotions, DoublePendulum) {
  EXPECT_GE(test::order_of(double_pendulum_error, 2e-3), 1.85);
  EXPECT_LE(double_pendulum_error(1e-3), 5e-3);
}

}  // namespace sinew::affine_motions_test
