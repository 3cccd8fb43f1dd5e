// Runs in warped modes beside full space: how far a bar bends, what is kept, contact, what is refused.
#include <cmath>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/methods.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/dynamics/subspace_model.h"

namespace sinew::warped_runs_test {

sinew::Setup cantilever(double gravity, const char* method, bool warping) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("bar", make_box(Vec3(1, 0.1, 0.1), {16, 2, 2}), test::material("stable_neo_hookean", 1e6, 0.4)));
  FixSetup fix;
  fix.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[0] < -0.499; });
  setup.bodies[0].fixes.push_back(fix);
  setup.contact.enabled = false;
  setup.gravity = Vec3(0, -gravity, 0);
  setup.solver.method = method;
  setup.solver.subspace = "linear";
  setup.solver.handles = 20;
  setup.solver.warping = warping;
  setup.solver.cubature_rule = "all";
  setup.solver.tolerance = 1e-8;
  setup.time.step = 0.01;
  return setup;
}

double energy(const StepReport& report) {
  const Energies& e = report.energies;
  return e.kinetic + e.elastic + e.gravity;
}

Points end_of_load(sinew::Setup setup) {
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 5;
  Simulation simulation(build_system(setup));
  for (int step = 0; step < 5; ++step) EXPECT_TRUE(simulation.step().converged);
  return simulation.state().x - simulation.system().rest;
}

// Small deflections are those of linear elasticity; at 0.2 of the length warped modes are off by 3 %, where modes that
// stay straight lock: what bends must also lengthen.
TEST(WarpedRuns, ABarBendsAsInFullSpace) {
  for (const double gravity : {0.01, 2.0}) {
    const Points full = end_of_load(cantilever(gravity, "newton", false));
    const Points warped = end_of_load(cantilever(gravity, "reduced", true));
    const Points straight = end_of_load(cantilever(gravity, "reduced", false));
    EXPECT_LT((warped - full).norm(), (gravity < 1 ? 2e-3 : 0.04) * full.norm()) << gravity;
    if (gravity > 1) {
      EXPECT_GT((straight - full).norm(), 0.3 * full.norm());
    }
  }
}

TEST(WarpedRuns, EnergyDoesNotGrow) {
  for (const Integrator integrator : {Integrator::implicit_euler, Integrator::bdf2, Integrator::newmark}) {
    sinew::Setup setup = cantilever(10, "reduced", true);
    setup.time.integrator = integrator;
    Simulation simulation(build_system(setup));
    const double start = 10 * 10 * 0.5;  // [J] of the bar's weight about its middle, the size of what is exchanged
    double first = 0, largest = -1e300, deepest = 0;
    for (int step = 0; step < 200; ++step) {
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.converged) << report.reason;
      if (step == 0) first = energy(report);
      largest = std::max(largest, energy(report));
      deepest = std::min(deepest, (simulation.state().x - simulation.system().rest).row(1).minCoeff());
    }
    EXPECT_LT(largest - first, (integrator == Integrator::newmark ? 2e-3 : 1e-6) * start);
    EXPECT_LT(deepest, -0.6);  // it swings far
  }
}

// Accepted steps against those of a tolerance 1e4 times tighter, for both norms.
TEST(WarpedRuns, AcceptedStepsAreThoseOfATighterTolerance) {
  for (const char* norm : {"max", "mean"}) {
    sinew::Setup setup = cantilever(10, "reduced", true);
    setup.solver.tolerance = 1e-3;
    setup.solver.norm = norm;
    auto system = build_system(setup);
    setup.solver.tolerance = 1e-7;
    auto tight = build_system(setup);
    Simulation simulation(system), reference(tight);
    for (int step = 0; step < 60; ++step) {
      ArchiveWriter archive("", "checkpoint");
      reference.save(archive);
      simulation.load(ArchiveReader::from_bytes(archive.bytes(), "checkpoint", "test"));
      ASSERT_TRUE(simulation.step().converged);
      ASSERT_TRUE(reference.step().converged);
      const double off = (simulation.state().x - reference.state().x).colwise().norm().maxCoeff();
      EXPECT_LT(off / setup.time.step, 1e-3) << step << " " << norm;
    }
  }
}

TEST(WarpedRuns, StatesComeBack) {
  sinew::Setup setup = cantilever(10, "reduced", true);
  setup.bodies.push_back(test::body("free", make_box(Vec3(0.5, 0.1, 0.1), {6, 2, 2}),
                                    test::material("corotated", 1e6, 0.4), Vec3(0, 2, 0)));
  setup.bodies[1].angular_velocity = Vec3(20, 0, 30);
  auto system = build_system(setup);
  Simulation simulation(system);
  for (int step = 0; step < 30; ++step) ASSERT_TRUE(simulation.step().converged);
  const State state = simulation.state();
  Stepper stepper(system, std::make_unique<SubspaceModel>(system, Formulation::standard), minimizer_settings);
  const StateLoss loss = stepper.replace(state);
  EXPECT_LT(loss.position, 1e-9);
  // Velocities of implicit Euler lead off the turns of a body by h/2 of what its spin accelerates it.
  EXPECT_LT(loss.velocity, 0.02 * state.v.colwise().norm().maxCoeff());
}

// Stiffness follows the materials while a simulation runs: a state is that of a simulation that had them before.
TEST(WarpedRuns, MaterialsMayChange) {
  sinew::Setup setup = cantilever(1, "reduced", true);
  sinew::Setup soft = setup;
  soft.bodies[0].materials = {test::material("stable_neo_hookean", 2.5e5, 0.3)};
  const std::shared_ptr<System> system = build_system(setup);
  Simulation changed(system), before(build_system(soft));
  changed.allow_changes(system);
  changed.edit(MaterialEdit{changed.system().material_names.at(0), {{"young", {2.5e5}}, {"poisson", {0.3}}}});
  // The modes are those of the start.
  for (int step = 0; step < 40; ++step) {
    ASSERT_TRUE(changed.step().converged);
    ASSERT_TRUE(before.step().converged);
  }
  const Points& rest = before.system().rest;
  EXPECT_LT((changed.state().x - before.state().x).norm(), 0.01 * (before.state().x - rest).norm());
}

TEST(WarpedRuns, BodiesPileUpWithoutIntersection) {
  sinew::Setup setup;
  for (int k = 0; k < 3; ++k)
    setup.bodies.push_back(test::body(std::to_string(k), make_box(Vec3(1, 0.25, 0.25), {8, 2, 2}),
                                      test::material("stable_neo_hookean", 2e5, 0.4),
                                      Vec3(0.3 * k, 0.16 + 0.3 * k, 0.02 * k)));
  setup.solver.method = "reduced";
  setup.solver.subspace = "linear";
  setup.solver.handles = 8;
  setup.solver.warping = true;
  setup.solver.tolerance = 1e-4;
  setup.gravity = Vec3(0, -9.81, 0);
  setup.contact.enabled = true;
  setup.contact.friction = 0.3;
  setup.obstacles.push_back(test::floor_plane());
  setup.time.step = 0.01;
  Simulation simulation(build_system(setup));
  double least = 1;
  long contacts = 0;
  for (int step = 0; step < 100; ++step) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.converged) << step << ": " << report.reason;
    contacts = std::max(contacts, report.contacts);
    if (report.contacts > 0) least = std::min(least, report.min_distance);
  }
  EXPECT_GT(contacts, 0);
  EXPECT_GT(least, 0);
}

TEST(WarpedRuns, WhatCannotWarpIsRefused) {
  sinew::Setup setup = cantilever(1, "mixed", true);
  EXPECT_THROW(Simulation{build_system(setup)}, InputError);
  setup.solver.method = "reduced";
  setup.bodies[0].fixes[0].motion.translation = Keyframes{{0, 1}, MatX{{0, 0}, {0, 0.1}, {0, 0}}};
  EXPECT_THROW(Simulation{build_system(setup)}, InputError);
}

}  // namespace sinew::warped_runs_test
