// Time steps that are made in parts: where they fail in one, and where bodies would meet at several of their sizes.
#include <cmath>
#include <string>

#include "support/bodies.h"
#include "support/run.h"
#include <gmock/gmock.h>

#include "sinew/core/archive.h"
#include "sinew/dynamics/methods.h"
#include "sinew/dynamics/step_parts.h"
#include "sinew/dynamics/time_rule.h"

namespace sinew {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(StepParts, HalvedWhereTheyFailAndDoubledAfterTwo) {
  StepParts parts(64, 2);
  EXPECT_EQ(parts.share(), 0.5);
  EXPECT_TRUE(parts.failed());
  EXPECT_TRUE(parts.failed());
  EXPECT_EQ(parts.end(), 0.125);
  parts.succeeded();
  EXPECT_EQ(parts.share(), 0.125);
  parts.succeeded();
  EXPECT_EQ(parts.done(), 0.25);
  EXPECT_EQ(parts.share(), 0.25);
  parts.succeeded();
  EXPECT_EQ(parts.share(), 0.25);  // at 1/2, one in a row of this size
  EXPECT_FALSE(parts.is_last());
  parts.succeeded();
  EXPECT_EQ(parts.done(), 0.75);
  EXPECT_EQ(parts.share(), 0.25);  // a larger part begins at multiples of its size
  EXPECT_TRUE(parts.is_last());
}

TEST(StepParts, NoLongerThanAtFirstAndNoSmallerThanTheLimit) {
  StepParts parts(10, 4);  // of 8
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(parts.share(), 0.25);
    parts.succeeded();
  }
  EXPECT_TRUE(parts.failed());
  EXPECT_EQ(parts.share(), 0.125);
  EXPECT_FALSE(parts.failed());
  EXPECT_EQ(parts.done(), 0.75);
  EXPECT_EQ(StepParts::smallest_parts(0), 1);
  EXPECT_EQ(StepParts::smallest_parts(1), 1);
  EXPECT_EQ(StepParts::smallest_parts(63), 32);
}

// A ball bounces off a floor with friction, bending and turning.
sinew::Setup bouncing(Integrator integrator, double h, const std::string& method = "newton") {
  sinew::Setup setup;
  setup.time.integrator = integrator;
  setup.time.step = h;
  setup.solver.method = method;
  setup.solver.tolerance = 1e-6;
  setup.solver.handles = 4;
  setup.solver.multilevel.cache = false;
  setup.contact.distance = 2e-3;
  setup.contact.stiffness = 1e5;
  setup.contact.friction = 0.3;
  setup.contact.slip_speed = 1e-2;
  setup.bodies.push_back(
      test::body("box", make_box(Vec3(0.3, 0.1, 0.1), {2, 1, 1}), test::material("neo_hookean", 1e5, 0.3)));
  setup.bodies[0].velocity = Vec3(1, -2, 0);
  setup.bodies[0].angular_velocity = Vec3(0, 1, -4);
  setup.bodies[0].damping_mass = 0.5;
  setup.bodies[0].damping_stiffness = 1e-3;
  setup.obstacles.push_back(test::floor_plane(-0.08));
  return setup;
}

// Parts of a step are the steps of a run with their size, to the last bit: so are momentum and energy. In full space,
// in handles, and in modes with a frame, which are a curved set of positions.
TEST(DividedSteps, AreStepsOfTheSizeOfTheirParts) {
  constexpr std::pair<const char*, const char*> methods[] = {
      {"newton", ""},          {"multilevel", ""},  {"quasi_newton", ""},  {"reduced", "eigenmodes"},
      {"mixed", "eigenmodes"}, {"mixed", "linear"}, {"reduced", "inertia"}};
  for (const Integrator integrator : {Integrator::implicit_euler, Integrator::bdf2, Integrator::newmark}) {
    for (const auto& [method, subspace] : methods) {
      const bool full = subspace == std::string();
      if (full && method != std::string("newton") && integrator != Integrator::implicit_euler) continue;
      const auto of_step = [&, method = method, subspace = subspace](double h) {
        sinew::Setup setup = bouncing(integrator, h, method);
        if (!full) {
          setup.solver.subspace = subspace;
          setup.solver.cubature_rule = "all";
          setup.solver.handles = 2;
        }
        return make_stepper(build_system(std::move(setup)));
      };
      const auto divided = of_step(0.0625), small = of_step(0.0625 / 4);
      EXPECT_EQ(divided->most_parts(), 64);
      for (int step = 1; step <= 4; ++step) {
        divided->divide(4);
        const StepReport report = divided->advance();
        EXPECT_EQ(report.substeps, 4);
        EXPECT_EQ(report.step, step);
        EXPECT_EQ(report.time, 0.0625 * step);
        StepReport part;
        Points mean = Points::Zero(3, 12);
        for (int i = 0; i < 4; ++i) {
          part = small->advance();
          const NodalForces forces = small->forces();
          mean += 0.25 * (forces.contact + forces.friction);
        }
        EXPECT_EQ(divided->sample().x, small->sample().x) << method << subspace << step;
        EXPECT_EQ(divided->sample().v, small->sample().v) << method << subspace << step;
        EXPECT_EQ(report.energies.kinetic, part.energies.kinetic);
        EXPECT_EQ(report.energies.barrier, part.energies.barrier);
        EXPECT_EQ(report.outcome(), part.outcome());
        EXPECT_LE((divided->forces().mean_contact - mean).norm(), 1e-12 * mean.norm());
        if (step == 1) {
          EXPECT_GT(mean.norm(), 1);
        }
      }
    }
  }
}

// A load of the step is its own again after one that was divided.
TEST(DividedSteps, TheNextStepIsWhole) {
  const auto stepper = make_stepper(build_system(bouncing(Integrator::implicit_euler, 0.01)));
  stepper->divide(2);
  EXPECT_EQ(stepper->advance().substeps, 2);
  EXPECT_EQ(stepper->advance().substeps, 1);
}

sinew::Setup free_bar(double h) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.time.integrator = Integrator::bdf2;
  setup.time.step = h;
  setup.contact.enabled = false;
  setup.solver.tolerance = 1e-10;
  setup.bodies.push_back(
      test::body("bar", make_box(Vec3(0.3, 0.1, 0.1), {3, 1, 1}), test::material("neo_hookean", 1e5, 0.3)));
  setup.bodies[0].angular_velocity = Vec3(0, 2, 5);
  return setup;
}

// Every other step in two parts.
Points positions_by_changing_steps(double h, double end) {
  const auto stepper = make_stepper(build_system(free_bar(h)));
  const int steps = static_cast<int>(std::lround(end / h));
  for (int s = 0; s < steps; ++s) {
    stepper->divide(1 + s % 2);
    EXPECT_TRUE(stepper->advance().converged);
  }
  return stepper->sample().x;
}

TEST(DividedSteps, Bdf2StaysOfSecondOrder) {
  const double h = 5e-4, end = 0.04;
  const Points coarse = positions_by_changing_steps(h, end), middle = positions_by_changing_steps(h / 2, end),
               fine = positions_by_changing_steps(h / 4, end);
  EXPECT_NEAR(std::log2((coarse - middle).norm() / (middle - fine).norm()), 2, 0.15);
}

// x~ and x^ of polynomials of second degree in time, whose velocities and accelerations the rule knows, are exact: with
// x = t^2, v = 2 t at t = -h_before and 0 the step ends at x = h^2, v = 2 h for the acceleration 2.
TEST(DividedSteps, Bdf2KnowsTheSizeOfTheStepBefore) {
  TimeSetup time;
  time.integrator = Integrator::bdf2;
  for (const double ratio : {0.25, 0.5, 1.0, 2.0}) {
    const double h = 0.1, before = h / ratio;
    const TimeRule rule = time_rule(time, h, before, false);
    ASSERT_TRUE(rule.two_steps);
    struct Motion {
      MatX x, v, x_previous, v_previous, a;
    };
    const auto one = [](double value) { return MatX::Constant(1, 1, value); };
    const Motion motion{one(0), one(0), one(before * before), one(-2 * before), MatX(1, 0)};
    MatX reference(1, 1), predictor(1, 1);
    reference_position(rule, motion, 0, reference.col(0));
    free_position(rule, motion, 0, predictor.col(0));
    const double x = predictor(0, 0) + rule.scale * 2;
    EXPECT_NEAR(x, h * h, 1e-15) << ratio;
    EXPECT_NEAR((x - reference(0, 0)) / rule.reference_step, 2 * h, 1e-14) << ratio;
  }
  EXPECT_FALSE(time_rule(time, 0.1, 0.1 / 4, false).two_steps);  // not stable: a step of implicit Euler
  EXPECT_FALSE(time_rule(time, 0.1, 0, false).two_steps);
}

// A run that is taken up after a divided step goes on with the same bits.
TEST(DividedSteps, CheckpointsHoldTheSizeOfTheLastPart) {
  for (const int parts : {1, 2}) {
    const auto whole = make_stepper(build_system(bouncing(Integrator::bdf2, 0.01)));
    const auto resumed = make_stepper(build_system(bouncing(Integrator::bdf2, 0.01)));
    whole->advance();
    whole->divide(parts);
    whole->advance();
    ArchiveWriter archive("", "checkpoint");
    whole->save(archive);
    const ArchiveReader saved = ArchiveReader::from_bytes(archive.bytes(), "checkpoint", "memory");
    resumed->load(saved);
    for (int step = 0; step < 2; ++step) {
      whole->advance();
      resumed->advance();
      EXPECT_EQ(resumed->sample().x, whole->sample().x);
      EXPECT_EQ(resumed->sample().v, whole->sample().v);
    }
  }
}

// A cube that spins so fast that a step takes many iterations.
sinew::Setup spinning(int iterations, int substeps) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.time.substeps = substeps;
  setup.solver.tolerance = 1e-6;
  setup.solver.max_iterations = iterations;
  setup.bodies.push_back(
      test::body("cube", make_box(Vec3::Ones(), {2, 2, 2}), test::material("stable_neo_hookean", 1e6, 0.3)));
  setup.bodies[0].angular_velocity = Vec3(0, 0, 60);
  return setup;
}

TEST(DividedSteps, StepsThatFailInOneConvergeInParts) {
  Simulation easy(build_system(spinning(200, 64)));
  const StepReport whole = easy.step();
  EXPECT_TRUE(whole.converged);
  EXPECT_EQ(whole.substeps, 1);
  ASSERT_GT(whole.newton_iterations, 4);
  Simulation hard(build_system(spinning(whole.newton_iterations - 1, 64)));
  const StepReport divided = hard.step();
  EXPECT_TRUE(divided.converged) << divided.reason;
  EXPECT_EQ(divided.outcome(), Outcome::converged);
  EXPECT_FALSE(divided.diagnosis);
  EXPECT_GT(divided.substeps, 1);
  EXPECT_EQ(hard.clock().step, 1);
  EXPECT_EQ(hard.time(), easy.time());
  EXPECT_GT(divided.energies.kinetic, whole.energies.kinetic);  // implicit Euler damps less in small steps
  Simulation never(build_system(spinning(whole.newton_iterations - 1, 0)));
  EXPECT_FALSE(never.step().converged);
}

// Where the smallest part fails too, the step is what it is without parts.
TEST(DividedSteps, StepsThatFailInAllPartsAreWhole) {
  Simulation parts(build_system(spinning(1, 4))), whole(build_system(spinning(1, 0)));
  const StepReport divided = parts.step(), report = whole.step();
  EXPECT_EQ(divided.outcome(), Outcome::failed);
  EXPECT_EQ(divided.substeps, 1);
  EXPECT_EQ(divided.reason, report.reason);
  EXPECT_EQ(parts.state().x, whole.state().x);
  EXPECT_EQ(parts.state().v, whole.state().v);
  EXPECT_EQ(report.substeps, 1);
}

// The reason names how far parts converged: walls meet towards the end of the step.
TEST(DividedSteps, ReasonsNameHowFarPartsConverge) {
  sinew::Setup setup = spinning(200, 4);
  setup.contact.enabled = true;
  setup.contact.distance = 1e-2;
  setup.bodies[0].angular_velocity.setZero();
  setup.obstacles.push_back(test::floor_plane(-0.55));
  for (const double side : {1.0, -1.0}) {  // two walls that meet at the end of the step
    ObstacleSetup wall;
    wall.name = side > 0 ? "left" : "right";
    wall.plane = PlaneSetup{Vec3(-0.6 * side, 0, 0), Vec3(side, 0, 0)};
    wall.motion.translation =
        Keyframes{{0, 0.5 * setup.time.step, setup.time.step},
                  (MatX(3, 3) << Vec3::Zero(), Vec3(0.05 * side, 0, 0), Vec3(0.7 * side, 0, 0)).finished()};
    setup.obstacles.push_back(wall);
  }
  const StepReport report = Simulation(build_system(std::move(setup))).step();
  EXPECT_EQ(report.outcome(), Outcome::failed);
  EXPECT_THAT(report.reason, HasSubstr("; in smaller parts, the step converges up to 0.75 of its length"));
}

// A part that ends at the budget of iterations leaves the step there.
TEST(DividedSteps, BudgetsOfPartsAreToldOf) {
  sinew::Setup setup = bouncing(Integrator::implicit_euler, 0.0625, "quasi_newton");
  setup.solver.iterations = 2;
  const auto stepper = make_stepper(build_system(std::move(setup)));
  stepper->divide(4);
  const StepReport report = stepper->advance();
  EXPECT_EQ(report.substeps, 4);
  EXPECT_EQ(report.outcome(), Outcome::budget);
  EXPECT_THAT(report.reason, testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace sinew
