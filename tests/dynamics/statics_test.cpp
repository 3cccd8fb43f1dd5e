// Static load steps: which loads are ramped, and what happens without constraints or past the last step.
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"
#include <gmock/gmock.h>

#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/mesh/surface.h"

namespace sinew::statics_test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// A cube without gravity, 1 m wide, its lower face at y = -0.5.
Setup cube() {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 2;
  setup.solver.tolerance = 1e-9;
  setup.bodies.push_back(
      test::body("cube", make_box(Vec3::Ones(), {2, 2, 2}), test::material("stable_neo_hookean", 1e6, 0.3)));
  return setup;
}

FixSetup bottom(const Setup& setup) {
  FixSetup fix;
  fix.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& v) { return v.y() < -0.499; });
  return fix;
}

LoadSetup pull_on_top(const Setup& setup, double newton) {
  LoadSetup load;
  load.kind = LoadKind::force;
  load.vector = Vec3(0, newton, 0);
  const TetMesh& mesh = setup.bodies[0].mesh;
  const Triangles faces = boundary_triangles(mesh.tets);
  std::vector<Index> top;
  for (Index f = 0; f < faces.cols(); ++f) {
    bool inside = true;
    for (int k = 0; k < 3; ++k) inside &= mesh.vertices(1, faces(k, f)) > 0.499;
    if (inside) top.push_back(f);
  }
  load.faces = faces(Eigen::all, top);
  return load;
}

double reaction(Simulation& simulation) {
  return simulation.forces().reaction.row(1).sum();
}

TEST(Statics, LoadsAreRampedUnlessTheyHaveKeyframes) {
  for (const bool keyed : {false, true}) {
    sinew::Setup setup = cube();
    setup.bodies[0].fixes = {bottom(setup)};
    LoadSetup load = pull_on_top(setup, 1000);
    if (keyed) load.vector_keys = Keyframes{{0, 1}, (MatX(3, 2) << 0, 0, 200, 1000, 0, 0).finished()};
    setup.bodies[0].loads = {load};
    Simulation simulation(build_system(std::move(setup)));
    ASSERT_TRUE(simulation.step().converged);
    EXPECT_NEAR(reaction(simulation), keyed ? -600 : -500, 1e-6);
    ASSERT_TRUE(simulation.step().converged);
    EXPECT_NEAR(reaction(simulation), -1000, 1e-6);
    EXPECT_THAT([&] { simulation.step(); },
                ThrowsMessage<InputError>("all 2 load steps (time.steps) are done: the full load acts"));
    EXPECT_EQ(simulation.state().step, 2);
  }
}

TEST(Statics, RigidMotionsThatNothingConstrainsAreCounted) {
  const auto free_motions = [](std::vector<FixSetup> fixes) {
    sinew::Setup setup = cube();
    setup.bodies[0].fixes = std::move(fixes);
    const auto system = build_system(std::move(setup));
    const auto pieces = free_pieces(*system, 0, {});
    return pieces.empty() ? 0 : pieces[0].motions;
  };
  const sinew::Setup setup = cube();
  EXPECT_EQ(free_motions({}), 6);
  EXPECT_EQ(free_motions({bottom(setup)}), 0);
  FixSetup sliding = bottom(setup);
  sliding.axes = {false, true, false};
  EXPECT_EQ(free_motions({sliding}), 3);
  FixSetup corner = bottom(setup);
  corner.vertices.resize(1);
  EXPECT_EQ(free_motions({corner}), 3);
  FixSetup edge;
  edge.vertices =
      test::select_vertices(setup.bodies[0].mesh, [](const Vec3& v) { return v.y() < -0.499 && v.x() < -0.499; });
  EXPECT_EQ(free_motions({edge}), 1);
}

TEST(Statics, AFreeBodyIsNamed) {
  sinew::Setup setup = cube();
  setup.gravity = Vec3(0, 0, -9.81);
  FixSetup sliding = bottom(setup);
  sliding.axes = {false, true, false};
  setup.bodies[0].fixes = {sliding};
  Simulation simulation(build_system(std::move(setup)));
  EXPECT_THAT([&] { simulation.step(); },
              ThrowsMessage<SimulationError>(HasSubstr("nothing constrains 3 of the 6 rigid motions of body 'cube'")));
}

// A clamped steel bar that is bent by a force at its end, with default tolerances.
sinew::Setup bent_bar(const std::string& method, double newton) {
  sinew::Setup setup = cube();
  setup.time.steps = 1;
  setup.solver.tolerance = 0;
  setup.solver.method = method;
  setup.contact.enabled = false;
  setup.bodies = {
      test::body("bar", make_box(Vec3(0.2, 0.01, 0.01), {40, 6, 2}), test::material("neo_hookean", 2.1e11, 0.3))};
  const TetMesh& mesh = setup.bodies[0].mesh;
  FixSetup clamp;
  clamp.vertices = test::select_vertices(mesh, [](const Vec3& v) { return v.x() < -0.0999; });
  LoadSetup load;
  load.kind = LoadKind::force;
  load.vector = Vec3(0, -newton, 0);
  const Triangles faces = boundary_triangles(mesh.tets);
  std::vector<Index> end;
  for (Index f = 0; f < faces.cols(); ++f) {
    bool inside = true;
    for (int k = 0; k < 3; ++k) inside &= mesh.vertices(0, faces(k, f)) > 0.0999;
    if (inside) end.push_back(f);
  }
  load.faces = faces(Eigen::all, end);
  setup.bodies[0].fixes = {clamp};
  setup.bodies[0].loads = {load};
  return setup;
}

TEST(Statics, ReactionsBalanceLoads) {
  for (const char* method : {"newton", "newton-pcg", "multilevel"}) {
    sinew::Setup setup = bent_bar(method, 100);
    setup.solver.handles = 8;
    Simulation simulation(build_system(std::move(setup)));
    ASSERT_TRUE(simulation.step().converged) << method;
    EXPECT_NEAR(reaction(simulation), 100, 0.1) << method;
  }
}

// The roundings of positions far from the origin are forces of a thousand times the load: rounding ends the step.
TEST(Statics, ForcesThatRoundingHidesNeedNotBalance) {
  sinew::Setup setup = bent_bar("newton", 1e-9);
  setup.bodies[0].mesh.vertices.row(0).array() += 1000;
  Simulation simulation(build_system(std::move(setup)));
  const StepReport report = simulation.step();
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_LT(report.newton_iterations, 20);
}

// A block between jaws that close on it by 2 % of its width, and its weight: no normal force, and so no friction,
// before the jaws have closed.
TEST(Statics, FrictionHoldsWhatNothingElseHolds) {
  for (const char* method : {"newton", "multilevel"}) {
    sinew::Setup setup = cube();
    setup.time.steps = 4;
    setup.gravity = Vec3(0, -9.81, 0);
    setup.solver.tolerance = 0;
    setup.solver.method = method;
    setup.solver.handles = 4;
    setup.contact.distance = 1e-3;
    setup.contact.friction = 0.5;
    setup.bodies[0].materials[0] = test::material("neo_hookean", 1e6, 0.3, 100);
    for (const double side : {-1.0, 1.0}) {
      ObstacleSetup jaw;
      jaw.name = side < 0 ? "left" : "right";
      jaw.plane = PlaneSetup{Vec3(0.502 * side, 0, 0), Vec3(-side, 0, 0)};
      jaw.motion.translation = Keyframes{{0, 0.25}, (MatX(3, 2) << 0, -0.012 * side, 0, 0, 0, 0).finished()};
      setup.obstacles.push_back(jaw);
    }
    Simulation simulation(build_system(std::move(setup)));
    const Vec3 before = test::center_of_mass(simulation, 0);
    for (int step = 0; step < 4; ++step) {
      const StepReport report = test::checked_step(simulation);
      EXPECT_TRUE(report.friction_converged);
    }
    const NodalForces forces = simulation.forces();
    const double weight = 100 * 9.81;
    EXPECT_NEAR(forces.friction.row(1).sum(), weight, 0.02 * weight) << method;
    EXPECT_LT((test::center_of_mass(simulation, 0) - before).norm(), 0.01) << method;
  }
}

TEST(Statics, WhatSlidesAwayIsNamed) {
  sinew::Setup setup = cube();
  setup.time.steps = 1;
  setup.time.substeps = 0;
  setup.gravity = Vec3(0.5, -9.81, 0);
  setup.solver.tolerance = 0;
  setup.contact.distance = 1e-3;
  setup.obstacles.push_back(test::floor_plane(-0.5005));
  Simulation simulation(build_system(std::move(setup)));
  const StepReport report = simulation.step();
  EXPECT_FALSE(report.converged);
  ASSERT_TRUE(report.diagnosis);
  EXPECT_EQ(report.diagnosis->cause, Cause::free_motion);
  EXPECT_THAT(report.reason, HasSubstr("body 'cube' slides or turns away"));
}

// A load step that takes more iterations than it may is divided, to the same equilibrium.
TEST(Statics, StepsThatFailAreDivided) {
  const auto bend = [](int iterations, int substeps) {
    sinew::Setup setup = bent_bar("newton", 2e4);
    setup.solver.max_iterations = iterations;
    setup.time.substeps = substeps;
    setup.solver.tolerance = 1e-9;
    Simulation simulation(build_system(std::move(setup)));
    const StepReport report = simulation.step();
    EXPECT_EQ(simulation.time(), 1);
    EXPECT_EQ(simulation.clock().step, 1);
    return std::pair(report, Points(simulation.state().x));
  };
  const auto [whole, wanted] = bend(200, 64);
  EXPECT_TRUE(whole.converged);
  EXPECT_EQ(whole.substeps, 1);
  ASSERT_GT(whole.newton_iterations, 6);
  const auto [divided, found] = bend(whole.newton_iterations - 2, 64);
  EXPECT_TRUE(divided.converged) << divided.reason;
  EXPECT_GT(divided.substeps, 1);
  EXPECT_LT((found - wanted).colwise().norm().maxCoeff(), 1e-7);
  EXPECT_FALSE(bend(whole.newton_iterations - 2, 0).first.converged);
}

// A column of square section above its buckling load pi^2 E I / (4 L^2).
TEST(Statics, ColumnsAboveTheirBucklingLoadBend) {
  const double load = 1.5 * M_PI * M_PI * 2.1e11 * 1e-8 / 12 / (4 * 0.2 * 0.2);
  struct Run {
    const char *method, *subspace;
  };
  const Run runs[] = {{"newton", ""},   {"newton-pcg", ""},   {"multilevel", "eigenmodes"},
                      {"adaptive", ""}, {"quasi_newton", ""}, {"reduced", "full"},
                      {"mixed", "full"}};
  for (const auto& [method, subspace] : runs) {
    for (const std::string wish : {"follow", "report", "ignore"}) {
      // Quasi-Newton iterations find the instability too, but take hundreds to bend a slender column.
      if (method == std::string("quasi_newton") && wish == "follow") continue;
      sinew::Setup setup = bent_bar(method, 0);
      setup.time.steps = 2;
      setup.solver.handles = 8;
      if (*subspace) setup.solver.subspace = subspace;
      setup.solver.instability = wish;
      setup.solver.iterations = 0;
      setup.bodies[0].loads[0].vector = Vec3(-load, 0, 0);
      Simulation simulation(build_system(std::move(setup)));
      StepReport report = simulation.step();  // below it
      EXPECT_TRUE(report.converged);
      EXPECT_EQ(report.instability, "") << method;
      report = simulation.step();
      EXPECT_TRUE(report.converged) << method << report.reason;
      const double aside = simulation.state().x.bottomRows(2).cwiseAbs().maxCoeff();
      EXPECT_EQ(report.instability, wish == "follow" ? "followed" : wish == "report" ? "reported" : "") << method;
      EXPECT_EQ(aside > 0.05, wish == "follow") << method << " " << aside;
    }
  }
}

// A subspace is stiffer: where it has nothing of a column's bending the equilibrium is told to be unstable in full
// space, and above its own buckling load the column bends.
TEST(Statics, ColumnsInASubspaceBendOrAreToldToBeUnstable) {
  const double load = 3 * M_PI * M_PI * 2.1e11 * 1e-8 / 12 / (4 * 0.2 * 0.2);
  for (const char* method : {"reduced", "mixed"}) {
    sinew::Setup setup = bent_bar(method, 0);
    setup.time.steps = 2;
    setup.solver.handles = 8;
    setup.bodies[0].loads[0].vector = Vec3(-load, 0, 0);
    Simulation simulation(build_system(std::move(setup)));
    const auto aside = [&] { return simulation.state().x.bottomRows(2).cwiseAbs().maxCoeff(); };
    StepReport report = simulation.step();  // at 1.5 loads
    EXPECT_TRUE(report.converged) << report.reason;
    const std::optional<StateError> error = simulation.error(report);
    EXPECT_TRUE(aside() > 0.05 || (error && error->unstable)) << method;
    report = simulation.step();
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_GT(aside(), 0.05) << method;
  }
}

// A cube of Hencky's volumetric law under tension from all sides: sigma = (mu (s^2 - 1) + lambda ln J) / J, J = s^3,
// has a maximum, beyond which there is no equilibrium.
TEST(Statics, LoadsAboveALimitPointAreNamed) {
  sinew::Setup setup = cube();
  setup.time.steps = 4;
  setup.solver.tolerance = 0;
  setup.contact.enabled = false;
  setup.bodies[0].materials[0] = test::material("neo_hookean", 1e6, 0.45);
  const double mu = 1e6 / 2.9, lambda = 0.45e6 / (1.45 * 0.1);
  double greatest = 0;
  for (double s = 1; s < 3; s += 1e-3)
    greatest = std::max(greatest, (mu * (s * s - 1) + lambda * 3 * std::log(s)) / (s * s * s));
  const TetMesh& mesh = setup.bodies[0].mesh;
  for (int k = 0; k < 3; ++k) {
    FixSetup symmetry;
    symmetry.vertices = test::select_vertices(mesh, [&](const Vec3& v) { return v[k] < -0.499; });
    symmetry.axes = {k == 0, k == 1, k == 2};
    setup.bodies[0].fixes.push_back(symmetry);
  }
  LoadSetup load;
  load.kind = LoadKind::pressure;
  load.pressure = -1.5 * greatest;
  load.faces = boundary_triangles(mesh.tets);
  setup.bodies[0].loads = {load};
  Simulation simulation(build_system(std::move(setup)));
  EXPECT_TRUE(simulation.step().converged);
  EXPECT_TRUE(simulation.step().converged);
  const StepReport report = simulation.step();
  EXPECT_FALSE(report.converged);
  ASSERT_TRUE(report.diagnosis);
  EXPECT_EQ(report.diagnosis->cause, Cause::limit_point) << report.reason;
  EXPECT_THAT(report.reason, HasSubstr("only up to about 0.66"));
  // The last equilibrium stays, and is what the next step fails from.
  const double stretch = simulation.state().x.row(0).maxCoeff() + 0.5;
  const StepReport next = simulation.step();
  EXPECT_EQ(next.reason, report.reason);
  EXPECT_EQ(simulation.state().x.row(0).maxCoeff() + 0.5, stretch);
}

}  // namespace
}  // namespace sinew::statics_test
