// Reduced simulations in bases of dense modes: against full space (whole_space_test.cpp has all modes), by each
// Jacobian of modal cubature, and with all that a scene may hold.
#include <cmath>

#include "support/bodies.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/dynamics/subspace_model.h"
#include "sinew/mesh/surface.h"

namespace sinew::dense_modes_test {

// A bar that is held at one end.
sinew::Setup bar(const std::string& subspace, const std::string& rule, int modes, const char* material = "stvk") {
  sinew::Setup setup;
  const TetMesh mesh = make_box(Vec3(1, 0.25, 0.25), {8, 2, 2});
  BodySetup body = test::body("bar", mesh, test::material(material, 1e5, 0.4));
  FixSetup fix;
  fix.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[0] < -0.499; });
  body.fixes.push_back(fix);
  setup.bodies.push_back(std::move(body));
  setup.contact.enabled = false;
  setup.solver.method = "reduced";
  setup.solver.subspace = subspace;
  setup.solver.cubature_rule = rule;
  setup.solver.tolerance = 1e-7;
  setup.solver.handles = modes;
  setup.time.step = 0.01;
  return setup;
}

double largest_distance(const Points& a, const Points& b) {
  return (a - b).colwise().norm().maxCoeff();
}

Points run(sinew::Setup setup, int steps) {
  Simulation simulation(build_system(std::move(setup)));
  for (int step = 0; step < steps; ++step) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_GT(report.min_jacobian, 0);
  }
  return simulation.state().x;
}

// More modes are nearer to full space, whatever their kind.
TEST(DenseModes, ComeNearerToFullSpace) {
  sinew::Setup full = bar("linear", "all", 0);
  full.solver.method = "newton";
  const Points exact = run(full, 10);
  const double moved = largest_distance(exact, build_system(bar("linear", "all", 6))->rest);
  ASSERT_GT(moved, 0.02);
  for (const char* kind : {"linear", "derivatives", "inertia", "inertia_derivatives"}) {
    const double few = largest_distance(run(bar(kind, "all", 4), 10), exact) / moved;
    const double many = largest_distance(run(bar(kind, "all", 40), 10), exact) / moved;
    EXPECT_LT(many, 0.03) << kind;
    EXPECT_LT(many, 0.7 * few) << kind;
  }
  EXPECT_LT(largest_distance(run(bar("quadratic", "all", 24), 10), exact) / moved, 0.3);
}

// Modal and optimised cubature come near to all tets; the three Jacobians and both Krylov methods have the same
// solution.
TEST(DenseModes, CubatureComesNearToAllTets) {
  const Points all = run(bar("derivatives", "all", 12), 10);
  const double moved = largest_distance(all, build_system(bar("linear", "all", 6))->rest);
  Points symmetric;
  for (const std::string jacobian : {"symmetric", "exact", "free", "free by cg"}) {
    sinew::Setup setup = bar("derivatives", "modal_forces", 12);
    setup.solver.jacobian = jacobian.substr(0, jacobian.find(' '));
    if (jacobian == "free by cg") setup.solver.krylov = "cg";
    const Points x = run(setup, 10);
    EXPECT_LT(largest_distance(x, all), 0.05 * moved) << jacobian;
    if (symmetric.size() == 0) symmetric = x;
    EXPECT_LT(largest_distance(x, symmetric), 1e-6 * moved) << jacobian;
  }
  sinew::Setup optimized = bar("derivatives", "optimized", 12);
  optimized.solver.cubature_points = 100;
  EXPECT_LT(largest_distance(run(optimized, 10), all), 0.05 * moved);
}

// Motions, friction on a floor, and vertices that are held along one axis alone.
TEST(DenseModes, FollowMotionsAndTouch) {
  for (const char* rule : {"all", "modal_forces"}) {
    sinew::Setup setup = bar("inertia_derivatives", rule, 15, "neo_hookean");
    Keyframes lift{{0, 0.1}, MatX::Zero(3, 2)};
    lift.values(1, 1) = 0.05;
    setup.bodies[0].fixes[0].motion.translation = lift;
    FixSetup slide;
    slide.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[0] > 0.499; });
    slide.axes = {false, false, true};
    setup.bodies[0].fixes.push_back(slide);
    setup.contact.enabled = true;
    setup.contact.friction = 0.3;
    setup.obstacles.push_back(test::floor_plane(-0.14));
    setup.solver.tolerance = 1e-5;
    Simulation simulation(build_system(setup));
    const System& system = simulation.system();
    for (int step = 0; step < 20; ++step) {
      const StepReport report = simulation.step();
      EXPECT_TRUE(report.converged) << rule << ": " << report.reason;
      if (report.contacts > 0) {
        EXPECT_GT(report.min_distance, 0);
      }
    }
    const Points& x = simulation.state().x;
    for (const PrescribedVertex& p : system.prescribed) {
      const Vec3 u = x.col(p.vertex) - system.rest.col(p.vertex);
      if (p.axes[0])
        EXPECT_NEAR((u - Vec3(0, 0.05, 0)).norm(), 0, 1e-12);
      else
        EXPECT_NEAR(u[2], 0, 1e-12);
    }
  }
}

// A free body falls as a point does, and keeps its momenta where nothing acts.
TEST(DenseModes, FreeBodiesFall) {
  for (const char* rule : {"all", "modal_forces"}) {
    sinew::Setup setup = bar("linear", rule, 10);
    setup.bodies[0].fixes.clear();
    setup.bodies[0].velocity = Vec3(1, 2, 3);
    setup.bodies[0].angular_velocity = Vec3(0.2, -0.1, 0.3);
    setup.time.integrator = Integrator::implicit_euler;
    Simulation simulation(build_system(setup));
    const System& system = simulation.system();
    const auto momentum = [&](const State& state) {
      Vec3 sum = Vec3::Zero();
      for (Index i = 0; i < system.dynamic_count; ++i) sum += system.mass[i] * state.v.col(i);
      return sum;
    };
    double mass = 0;
    for (const double m : system.mass) mass += m;
    for (int step = 1; step <= 20; ++step) {
      EXPECT_TRUE(simulation.step().converged);
      EXPECT_LT((momentum(simulation.state()) / mass - (Vec3(1, 2, 3) + 0.01 * step * setup.gravity)).norm(), 1e-9);
    }
  }
}

// Runs with a checkpoint in the middle, and with any number of threads, have the same bits.
TEST(DenseModes, ResumeWithTheSameBits) {
  const auto setup = bar("derivatives", "modal_forces", 12);
  Points ends[3];
  for (int k = 0; k < 3; ++k) {
    const ThreadLimit threads(k == 2 ? 1 : 2);
    auto system = build_system(setup);
    Simulation simulation(system);
    for (int step = 0; step < 4; ++step) simulation.step();
    if (k == 1) {
      ArchiveWriter archive("", "checkpoint");
      simulation.save(archive);
      Simulation other(system);
      other.load(ArchiveReader::from_bytes(archive.bytes(), "checkpoint", "test"));
      for (int step = 0; step < 4; ++step) other.step();
      ends[k] = other.state().x;
      continue;
    }
    for (int step = 0; step < 4; ++step) simulation.step();
    ends[k] = simulation.state().x;
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST(DenseModes, Errors) {
  sinew::Setup setup = bar("linear", "modal_forces", 12);
  setup.solver.method = "mixed";
  EXPECT_THROW(Simulation(build_system(setup)), InputError);
  setup.solver.method = "reduced";  // also on the way
  const auto system = build_system(setup);
  Simulation simulation(system);
  simulation.allow_changes(system);
  simulation.step();
  EXPECT_THAT([&] { simulation.edit(MethodEdit{"mixed"}); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("modal_forces")));
  EXPECT_TRUE(simulation.step().converged);
  setup = bar("linear", "all", 100000);
  EXPECT_THROW(Simulation(build_system(setup)), InputError);
}

// Modes of what is free after a release that cannot hold the present shape: the step is refused by its cause, and
// nothing has changed.
TEST(DenseModes, ReleasesThatModesCannotFollowAreRefused) {
  sinew::Setup setup;
  const TetMesh mesh = make_box(Vec3(1, 0.1, 0.2), {12, 2, 2});
  BodySetup held = test::body("bar", mesh, test::material("stable_neo_hookean", 3e4, 0.4));
  FixSetup fix;
  fix.vertices = test::select_vertices(mesh, [](const Vec3& x) { return std::abs(x[0]) > 0.49; });
  fix.until = 0.2;
  held.fixes.push_back(fix);
  setup.bodies.push_back(std::move(held));
  setup.bodies.push_back(test::body("block", make_box(Vec3(0.3, 0.2, 0.2), {3, 2, 2}),
                                    test::material("stable_neo_hookean", 3e4, 0.4), Vec3(0, 0.152, 0)));
  setup.time.step = 0.01;
  setup.solver.method = "reduced";
  setup.solver.subspace = "linear";
  setup.solver.cubature_rule = "energies";
  setup.solver.handles = 8;
  Simulation simulation(build_system(std::move(setup)));
  for (int step = 0; step < 20; ++step) EXPECT_TRUE(simulation.step().converged);
  const Points before = simulation.state().x;
  for (int again = 0; again < 2; ++again) {
    try {
      simulation.step();
      FAIL();
    } catch (const SimulationError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("vertices are released"));
    }
    EXPECT_EQ(simulation.clock().step, 20);
    EXPECT_EQ(simulation.state().x, before);
    EXPECT_LT(simulation.energies().elastic, 1e9);
  }
}

}  // namespace sinew::dense_modes_test
