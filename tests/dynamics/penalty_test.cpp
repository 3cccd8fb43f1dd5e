// Steps with penalty contact: what rests carries its weight, what overlaps comes apart, methods agree, friction holds
// and slips.
#include <array>
#include <cmath>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/simulation.h"

namespace sinew {
namespace {

constexpr double gravity = 9.81;

sinew::Setup scene(const std::string& method, double tolerance = 1e-6) {
  sinew::Setup setup;
  setup.contact.model = ContactKind::penalty;
  setup.gravity = Vec3(0, -gravity, 0);
  setup.time.step = 0.01;
  setup.solver.method = method;
  setup.solver.tolerance = tolerance;
  setup.solver.iterations = 0;
  setup.solver.max_iterations = 2000;
  return setup;
}

MaterialAssignment rubber() {
  return test::material("stable_neo_hookean", 1e5, 0.3);
}

double total_mass(const System& system) {
  double mass = 0;
  for (const double m : system.mass) mass += m;
  return mass;
}

// In statics the forces on a floor add up to the weight, and the depth is that of the pressure: rho g H l / kappa.
TEST(Penalty, ABlockAtRestPressesWithItsWeight) {
  for (const char* method : {"newton", "quasi_newton"}) {
    sinew::Setup setup = scene(method);
    setup.time.integrator = Integrator::implicit_euler;
    setup.bodies.push_back(test::body("block", make_box(Vec3::Constant(0.1), {2, 2, 2}), rubber(), Vec3(0, 0.05, 0)));
    setup.bodies[0].damping_mass = 20;
    setup.obstacles.push_back(test::floor_plane());
    Simulation simulation(build_system(std::move(setup)));
    StepReport report;
    for (int k = 0; k < 200; ++k) report = simulation.step();
    EXPECT_TRUE(report.converged) << report.reason;
    const System& system = simulation.system();
    const double weight = total_mass(system) * gravity;
    EXPECT_NEAR(simulation.forces().contact.row(1).sum(), weight, 1e-3 * weight) << method;
    double edges = 0;
    for (const double l2 : system.collision.edge_rest_length2) edges += std::sqrt(l2);
    edges /= static_cast<double>(system.collision.edge_rest_length2.size());
    const double depth = 1000 * gravity * 0.1 * edges / system.contact_stiffness;
    // The floor is met by the area of the lower side alone; corners have more of it by their other sides.
    const double gap = system.contact_distance - report.min_distance;
    EXPECT_GT(gap, 0.3 * depth);
    EXPECT_LT(gap, 2 * depth);
  }
}

void expect_methods_agree(sinew::Setup (*make)(const std::string&), int steps, double tolerances) {
  const auto once = [&](const char* method) {
    sinew::Setup setup = make(method);
    setup.contact.friction_iterations = 1;  // the same lagged friction
    return build_system(std::move(setup));
  };
  Simulation newton(once("newton")), quasi(once("quasi_newton"));
  const Index n = newton.system().dynamic_count;
  const double reach = newton.system().setup.solver.tolerance * newton.system().setup.time.step;
  long contacts = 0;
  for (int k = 0; k < steps; ++k) {
    const StepReport one = newton.step(), other = quasi.step();
    EXPECT_TRUE(one.converged && other.converged) << k << one.reason << other.reason;
    contacts = std::max(contacts, one.contacts);
    const Points difference = newton.state().x.leftCols(n) - quasi.state().x.leftCols(n);
    EXPECT_LT(difference.colwise().norm().maxCoeff(), tolerances * reach) << k;
    quasi.replace(newton.state());
  }
  EXPECT_GT(contacts, 0);
}

sinew::Setup two_balls(const std::string& method) {
  sinew::Setup setup = scene(method, 1e-5);
  setup.bodies.push_back(test::body("lower", make_sphere(0.1, 0.05), rubber(), Vec3(0, 0.101, 0)));
  setup.bodies.push_back(test::body("upper", make_sphere(0.1, 0.05), rubber(), Vec3(0.02, 0.305, 0)));
  setup.bodies[1].velocity = Vec3(0, -1, 0);
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}

sinew::Setup thrown_ball(const std::string& method) {
  sinew::Setup setup = scene(method, 1e-5);
  setup.contact.friction = 0.3;
  setup.bodies.push_back(test::body("ball", make_sphere(0.1, 0.05), rubber(), Vec3(0, 0.101, 0)));
  setup.bodies[0].velocity = Vec3(0.5, -1, 0);
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}

// Against a plane, where the step has one solution: against triangles, whose normals jump, a vertex may rest on either
// side of an edge.
TEST(Penalty, QuasiNewtonIsNewton) {
  expect_methods_agree(thrown_ball, 30, 3);
}

// Internal forces: two free bodies that meet keep their momentum, and come apart again.
TEST(Penalty, CollisionsKeepMomentum) {
  sinew::Setup setup = scene("newton");
  setup.gravity.setZero();
  setup.bodies.push_back(test::body("left", make_sphere(0.1, 0.05), rubber(), Vec3(-0.11, 0, 0)));
  setup.bodies.push_back(test::body("right", make_sphere(0.1, 0.05), rubber(), Vec3(0.11, 0.03, 0)));
  setup.bodies[0].velocity = Vec3(1, 0, 0);
  setup.bodies[1].velocity = Vec3(-1.5, 0, 0);
  Simulation simulation(build_system(std::move(setup)));
  const System& system = simulation.system();
  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (Index i = 0; i < system.dynamic_count; ++i) sum += system.mass[i] * simulation.state().v.col(i);
    return sum;
  };
  const Vec3 before = momentum();
  long contacts = 0;
  for (int k = 0; k < 30; ++k) contacts = std::max(contacts, simulation.step().contacts);
  EXPECT_GT(contacts, 0);
  EXPECT_LT((momentum() - before).norm(), 1e-4 * total_mass(system));
  Vec3 left = Vec3::Zero(), right = Vec3::Zero();
  for (Index i = 0; i < system.dynamic_count; ++i)
    (system.vertex_body[i] == 0 ? left : right) += system.mass[i] * simulation.state().v.col(i);
  EXPECT_LT(left.x(), 0);
  EXPECT_GT(right.x(), 0);
}

TEST(Penalty, WhatOverlapsComesApart) {
  sinew::Setup setup = scene("quasi_newton");
  setup.solver.iterations = 10;
  setup.gravity.setZero();
  setup.bodies.push_back(test::body("left", make_sphere(0.1, 0.04), rubber(), Vec3(-0.08, 0, 0)));
  setup.bodies.push_back(test::body("right", make_sphere(0.1, 0.04), rubber(), Vec3(0.08, 0.013, 0)));
  for (BodySetup& body : setup.bodies) body.damping_mass = 5;
  Simulation simulation(build_system(std::move(setup)));
  StepReport report = simulation.step();
  EXPECT_LT(report.min_distance, -3e-3);
  for (int k = 0; k < 100; ++k) report = simulation.step();
  EXPECT_GT(report.min_distance, -1e-3);
  EXPECT_GT(report.min_jacobian, 0.5);
}

// A block on a plane that is tilted: it stays below the angle of friction and slides with g (sin a - mu cos a) above.
TEST(Penalty, FrictionHoldsAndSlips) {
  const double angle = 0.4;
  for (const double mu : {0.6, 0.2}) {
    sinew::Setup setup = scene("newton");
    setup.contact.friction = mu;
    setup.gravity = gravity * Vec3(std::sin(angle), -std::cos(angle), 0);
    setup.bodies.push_back(
        test::body("block", make_box({0.2, 0.05, 0.2}, {2, 1, 2}), test::material("neo_hookean", 1e6, 0.3)));
    setup.bodies[0].mesh.vertices.row(1).array() += 0.025;
    setup.obstacles.push_back(test::floor_plane());
    Simulation simulation(build_system(std::move(setup)));
    for (int k = 0; k < 60; ++k) simulation.step();
    const System& system = simulation.system();
    double speed = 0;
    for (Index i = 0; i < system.dynamic_count; ++i) speed += system.mass[i] * simulation.state().v(0, i);
    speed /= total_mass(system);
    const double expected = mu > std::tan(angle) ? 0 : gravity * (std::sin(angle) - mu * std::cos(angle)) * 0.6;
    EXPECT_NEAR(speed, expected, 0.02 * gravity * 0.6) << mu;
  }
}

// Ten iterations are not enough for contacts so stiff or steps so long: they may end anywhere, but not with more
// energy.
TEST(Penalty, BudgetsGainNoEnergy) {
  for (const auto& [young, stiffness, step] :
       {std::array{1e5, 1e12, 0.01}, std::array{1e5, 0.0, 0.5}, std::array{2e11, 0.0, 0.01}}) {
    sinew::Setup setup = scene("quasi_newton", 1e-3);
    setup.solver.iterations = 10;
    setup.time.step = step;
    if (stiffness > 0) setup.contact.stiffness = stiffness;
    setup.bodies.push_back(
        test::body("ball", make_sphere(0.1, 0.05), test::material("stable_neo_hookean", young, 0.3), Vec3(0, 0.12, 0)));
    setup.obstacles.push_back(test::floor_plane());
    Simulation simulation(build_system(std::move(setup)));
    const auto total = [&] {
      const Energies e = simulation.energies();
      return e.kinetic + e.elastic + e.gravity + e.barrier;
    };
    const double first = total();
    long contacts = 0;
    for (int k = 0; k < 40; ++k) {
      contacts += simulation.step().contacts;
      EXPECT_LT(total(), first + 1e-3 * std::abs(first)) << young << " " << stiffness << " " << step << ": " << k;
    }
    if (step < 0.1) {
      EXPECT_GT(contacts, 0);
    }
  }
}

TEST(Penalty, BitsDoNotDependOnThreads) {
  Points first;
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    Simulation simulation(build_system(two_balls("quasi_newton")));
    for (int k = 0; k < 12; ++k) simulation.step();
    if (threads == 1) {
      first = simulation.state().x;
    } else {
      EXPECT_EQ(first, simulation.state().x) << threads;
    }
  }
}

TEST(Penalty, ReducedMethodsRefuseIt) {
  try {
    Simulation simulation(build_system(two_balls("reduced")));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("contact.model"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("quasi_newton"), std::string::npos);
  }
}

}  // namespace
}  // namespace sinew
