// Dense modes in frames: bodies that nothing holds, many of them, and bodies of several domains.
#include <cmath>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/methods.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/dynamics/subspace_model.h"

namespace sinew::substructures_test {

BodySetup bar(const std::string& name, const Vec3& at, double young = 1e5,
              const std::array<Index, 3>& cells = {8, 2, 2}) {
  return test::body(name, make_box(Vec3(1, 0.25, 0.25), cells), test::material("stable_neo_hookean", young, 0.4), at);
}

sinew::Setup setup_of(std::vector<BodySetup> bodies, const char* subspace, const char* rule, int modes) {
  sinew::Setup setup;
  setup.bodies = std::move(bodies);
  setup.contact.enabled = false;
  setup.gravity.setZero();
  setup.solver.method = "reduced";
  setup.solver.subspace = subspace;
  setup.solver.cubature_rule = rule;
  setup.solver.tolerance = 1e-8;
  setup.solver.handles = modes;
  setup.time.step = 0.01;
  return setup;
}

struct Momenta {
  double mass = 0;
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // about the centre of mass
};

Momenta momenta(const System& system, const State& state) {
  Momenta sum;
  Vec3 center = Vec3::Zero();
  for (Index i = 0; i < system.dynamic_count; ++i) {
    sum.mass += system.mass[i];
    center += system.mass[i] * state.x.col(i);
    sum.linear += system.mass[i] * state.v.col(i);
  }
  center /= sum.mass;
  for (Index i = 0; i < system.dynamic_count; ++i)
    sum.angular += system.mass[i] * Vec3(state.x.col(i) - center).cross(Vec3(state.v.col(i)));
  return sum;
}

// A thrown bar tumbles as in full space: the same turns, the same loss of angular momentum, which is that of the time
// integrator, and no strain from turning.
TEST(Substructures, AThrownBarTumblesAsInFullSpace) {
  for (const Integrator integrator : {Integrator::implicit_euler, Integrator::bdf2, Integrator::newmark}) {
    for (const char* rule : {"all", "modal_forces"}) {
      sinew::Setup setup = setup_of({bar("bar", Vec3::Zero(), 1e6)}, "linear", rule, 12);
      setup.bodies[0].velocity = Vec3(0.3, -0.2, 0.1);
      setup.bodies[0].angular_velocity = Vec3(1, 3, 5);
      setup.time.integrator = integrator;
      sinew::Setup full = setup;
      full.solver.method = "newton";
      Simulation reduced(build_system(setup)), exact(build_system(full));
      const Momenta start = momenta(exact.system(), exact.state());
      for (int step = 0; step < 100; ++step) {
        const StepReport report = reduced.step();
        ASSERT_TRUE(report.converged) << report.reason;
        ASSERT_TRUE(exact.step().converged);
      }
      const Momenta a = momenta(reduced.system(), reduced.state()), b = momenta(exact.system(), exact.state());
      EXPECT_LT((a.linear - start.linear).norm(), 1e-9 * start.linear.norm());
      EXPECT_LT((a.angular - b.angular).norm(), 2e-3 * start.angular.norm()) << static_cast<int>(integrator) << rule;
      // It has turned by several radians, and is where full space has it, to the strain of its spin.
      const double off = (reduced.state().x - exact.state().x).colwise().norm().maxCoeff();
      EXPECT_LT(off, 0.02) << static_cast<int>(integrator) << rule;
    }
  }
}

// The positions of frames are turned and shifted scenes: a run of the turned bar is the turned run.
TEST(Substructures, TurnedScenesHaveTurnedRuns) {
  const Mat3 turn = Eigen::AngleAxisd(2.5, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  Points ends[2];
  for (int k = 0; k < 2; ++k) {
    sinew::Setup setup = setup_of({bar("bar", Vec3::Zero(), 2e4)}, "linear", "all", 10);
    Points& rest = setup.bodies[0].mesh.vertices;
    rest.row(2) *= 0.8;
    setup.bodies[0].velocity = Vec3(0.3, -0.2, 0.1);
    setup.bodies[0].angular_velocity = Vec3(1, 3, 5);
    SpringSetup spring;
    spring.vertices = {0};
    spring.point = Vec3(-0.8, 0.3, 0.2);
    spring.stiffness = 40;
    if (k == 1) {
      rest = turn * rest;
      for (Vec3* v : {&setup.bodies[0].velocity, &setup.bodies[0].angular_velocity}) *v = turn * *v;
      spring.point = turn * *spring.point;
    }
    setup.bodies[0].springs.push_back(spring);
    Simulation simulation(build_system(setup));
    for (int step = 0; step < 40; ++step) ASSERT_TRUE(simulation.step().converged);
    ends[k] = simulation.system().to_user(simulation.state().x);
  }
  // Vertices may be numbered otherwise in the turned scene, but not in the user's files.
  EXPECT_LT((turn * ends[0] - ends[1]).colwise().norm().maxCoeff(), 1e-6);
}

// Checkpoints and states of other methods: positions and velocities of a frame come back.
TEST(Substructures, StatesComeBack) {
  sinew::Setup setup = setup_of({bar("bar", Vec3::Zero())}, "linear", "all", 8);
  setup.bodies[0].angular_velocity = Vec3(2, 0, 4);
  setup.time.integrator = Integrator::bdf2;
  auto system = build_system(setup);
  Simulation simulation(system);
  for (int step = 0; step < 30; ++step) simulation.step();
  const State state = simulation.state();
  ArchiveWriter archive("", "checkpoint");
  simulation.save(archive);
  Simulation other(system);
  other.load(ArchiveReader::from_bytes(archive.bytes(), "checkpoint", "test"));
  EXPECT_EQ(other.state().x, state.x);
  simulation.step();
  other.step();
  EXPECT_EQ(other.state().x, simulation.state().x);
  Stepper stepper(system, std::make_unique<SubspaceModel>(system, Formulation::standard), minimizer_settings);
  const StateLoss loss = stepper.replace(state);
  EXPECT_LT(loss.position, 1e-12);
  const VecX q = stepper.coordinates();
  ASSERT_EQ(q.size(), 14);
  stepper.set_coordinates(q);
  EXPECT_LT((stepper.sample().x - state.x).colwise().norm().maxCoeff(), 1e-12);
}

// Bodies fall on each other and on a floor, with friction, and come to rest without having crossed.
TEST(Substructures, FreeBodiesPileUp) {
  std::vector<BodySetup> bodies;
  for (int k = 0; k < 3; ++k) {
    bodies.push_back(bar(std::to_string(k), Vec3(0.05 * k, 0.16 + 0.3 * k, 0.02 * k), 2e5));
    bodies.back().angular_velocity = Vec3(0.5 * k, 0, 0.7 * k);
  }
  sinew::Setup setup = setup_of(std::move(bodies), "linear", "modal_forces", 8);
  setup.gravity = Vec3(0, -9.81, 0);
  setup.contact.enabled = true;
  setup.contact.friction = 0.3;
  setup.obstacles.push_back(test::floor_plane());
  setup.solver.tolerance = 1e-4;
  Simulation simulation(build_system(setup));
  double least = 1;
  for (int step = 0; step < 150; ++step) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.converged) << step << ": " << report.reason;
    if (report.contacts > 0) least = std::min(least, report.min_distance);
    ASSERT_GT(report.min_jacobian, 0);
  }
  EXPECT_GT(least, 0);
  const State& state = simulation.state();
  EXPECT_LT(state.v.colwise().norm().maxCoeff(), 0.3);
  EXPECT_GT(state.x.row(1).minCoeff(), -0.02);  // between samples of the surface a vertex may be lower
}

// What domains share is seen by contact where it is lifted to: no vertex of the surface gets behind a plane.
TEST(Substructures, InterfacesStayBeforeAPlane) {
  for (const int domains : {4, 8}) {
    sinew::Setup setup = setup_of({bar("bar", Vec3(0, 0.5, 0), 1e5)}, "inertia", "all", 8);
    const Mat3 turn = Eigen::AngleAxisd(0.9, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    setup.bodies[0].mesh.vertices = turn * setup.bodies[0].mesh.vertices;
    setup.bodies[0].mesh.vertices.row(1).array() += 0.3;
    setup.bodies[0].velocity = Vec3(0, -10, 0);
    setup.contact.enabled = true;
    setup.contact.friction = 0.3;
    setup.obstacles.push_back(test::floor_plane());
    setup.solver.domains = domains;
    setup.solver.tolerance = 1e-4;
    Simulation simulation(build_system(setup));
    long contacts = 0;
    for (int step = 0; step < 40; ++step) {
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.converged) << report.reason;
      contacts = std::max(contacts, report.contacts);
      // All vertices of so coarse a mesh are samples of its surface.
      ASSERT_GT(simulation.state().x.row(1).minCoeff(), 0) << domains << " " << step;
    }
    EXPECT_GT(contacts, 0);
  }
}

// Nearly incompressible: weights fitted to energies keep the motion that all tets have. (Those that each mode has of
// its own feed it: 1047 J in place of 84.5.)
TEST(Substructures, WeightsOfEnergiesFeedNoMotion) {
  double largest[2] = {0, 0};
  for (const int k : {0, 1}) {
    sinew::Setup setup = setup_of({}, "inertia_derivatives", k == 0 ? "all" : "energies", 30);
    setup.bodies.push_back(
        test::body("bar", make_box(Vec3(1, 0.2, 0.2), {12, 4, 4}), test::material("stable_neo_hookean", 1e5, 0.49)));
    FixSetup fix;
    fix.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[0] < -0.499; });
    setup.bodies[0].fixes.push_back(fix);
    setup.gravity = Vec3(0, -9.81, 0);
    setup.solver.tolerance = 1e-4;
    Simulation simulation(build_system(setup));
    double start = 0;
    for (int step = 0; step < 100; ++step) {
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.converged) << report.reason;
      const Energies& e = report.energies;
      if (step == 0) start = e.kinetic + e.elastic + e.gravity;
      EXPECT_LT(e.kinetic + e.elastic + e.gravity, start + 1e-6 * e.kinetic + 1e-3);
      largest[k] = std::max(largest[k], e.kinetic);
    }
  }
  EXPECT_NEAR(largest[1], largest[0], 0.05 * largest[0]);
}

// A bar of domains bends as one without, the better the more its domains; its interfaces stay together.
TEST(Substructures, DomainsBendAsTheWhole) {
  sinew::Setup setup = setup_of({bar("bar", Vec3::Zero(), 2e4, {16, 2, 2})}, "linear", "all", 6);
  FixSetup fix;
  fix.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[0] < -0.499; });
  setup.bodies[0].fixes.push_back(fix);
  setup.gravity = Vec3(0, -4, 0);
  sinew::Setup full = setup;
  full.solver.method = "newton";
  Simulation exact(build_system(full));
  for (int step = 0; step < 40; ++step) ASSERT_TRUE(exact.step().converged);
  const double moved = (exact.state().x - exact.system().rest).colwise().norm().maxCoeff();
  ASSERT_GT(moved, 0.3);
  double one = 0;
  for (const int domains : {1, 4}) {
    setup.solver.domains = domains;
    Simulation simulation(build_system(setup));
    for (int step = 0; step < 40; ++step) {
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.converged) << report.reason;
    }
    const double off = (simulation.state().x - exact.state().x).colwise().norm().maxCoeff() / moved;
    if (domains == 1)
      one = off;
    else
      EXPECT_LT(off, std::min(0.1, 0.5 * one));
  }
}

// Accepted steps are those of a tolerance 1e4 times tighter, from many states, by an energy and without one.
TEST(Substructures, AcceptedStepsAreThoseOfATighterTolerance) {
  for (const char* rule : {"all", "modal_forces"})
    for (const bool held : {false, true}) {
      sinew::Setup setup = setup_of({bar("bar", Vec3::Zero(), 2e4)}, "derivatives", rule, 12);
      setup.gravity = Vec3(0, -9.81, 0);
      setup.time.integrator = Integrator::bdf2;
      setup.bodies[0].angular_velocity = Vec3(1, 2, 4);
      if (held) {
        FixSetup fix;
        fix.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[0] < -0.499; });
        setup.bodies[0].fixes.push_back(fix);
      }
      constexpr double tolerance = 1e-4;
      setup.solver.tolerance = tolerance;
      sinew::Setup tight = setup;
      tight.solver.tolerance = 1e-4 * tolerance;
      const auto system = build_system(setup), tighter = build_system(tight);
      Simulation simulation(system);
      double worst = 0;
      for (int step = 0; step < 60; ++step) {
        ArchiveWriter archive("", "checkpoint");
        simulation.save(archive);
        Simulation other(tighter);
        other.load(ArchiveReader::from_bytes(archive.bytes(), "checkpoint", "test"));
        ASSERT_TRUE(simulation.step().converged);
        ASSERT_TRUE(other.step().converged);
        const double off = (simulation.state().x - other.state().x).colwise().norm().maxCoeff();
        worst = std::max(worst, off / setup.time.step);
      }
      EXPECT_LT(worst, tolerance) << rule << held;
    }
}

}  // namespace sinew::substructures_test
