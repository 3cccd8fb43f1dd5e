// A pad pressed on the floor and dragged along it in statics: T/N is the coefficient of friction however many load
// steps the drag takes, since the slip under which friction sticks follows the motion of a load step.
#include "support/bodies.h"
#include "support/run.h"

namespace sinew {
namespace {

constexpr double mu = 0.5;

// Its top goes down by 2 % of the width in the first fifth of the load steps, then 20 % sideways.
sinew::Setup dragged_pad(double width, int steps) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.time.integrator = Integrator::statics;
  setup.time.steps = steps;
  setup.contact.friction = mu;
  setup.contact.distance = 1e-3 * width;
  TetMesh mesh = make_box(Vec3(width, 0.4 * width, width), {3, 2, 3});
  FixSetup top;
  top.vertices = test::select_vertices(mesh, [&](const Vec3& x) { return x.y() > 0.199 * width; });
  top.motion.translation =
      Keyframes{{0, 0.2, 1}, (MatX(3, 3) << 0, 0, 0.2, 0, -0.02, -0.02, 0, 0, 0).finished() * width};
  setup.bodies.push_back(
      test::body("pad", std::move(mesh), test::material("neo_hookean", 1e6, 0.3), Vec3(0, 0.2005 * width, 0)));
  setup.bodies[0].fixes = {top};
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}

double traction_ratio(sinew::Setup setup) {
  const int steps = setup.time.steps;
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, steps, [](const StepReport& report) { EXPECT_TRUE(report.friction_converged); });
  const Vec3 force = simulation.forces().reaction.rowwise().sum();
  return force.x() / -force.y();
}

TEST(StaticFriction, DoesNotDependOnTheNumberOfLoadSteps) {
  for (const int steps : {10, 40, 160}) EXPECT_NEAR(traction_ratio(dragged_pad(0.1, steps)), mu, 0.01 * mu) << steps;
}

TEST(StaticFriction, LongDoesNotDependOnStepsOrSize) {
  for (const double width : {1e-3, 0.1, 10.0})
    for (const int steps : {10, 20, 50, 100, 200, 500})
      EXPECT_NEAR(traction_ratio(dragged_pad(width, steps)), mu, 0.01 * mu) << width << " m, " << steps << " steps";
}

// A slip distance that does not follow the steps loses friction as they get shorter: what the default is for.
TEST(StaticFriction, IsLostWhereTheSlipDistanceIsThatOfManySteps) {
  sinew::Setup setup = dragged_pad(0.1, 160);
  setup.contact.slip_speed = 1e-3;
  EXPECT_LT(traction_ratio(std::move(setup)), 0.3 * mu);
}

TEST(StaticFriction, AutomaticSlipIsAHundredthOfTheMotionOfALoadStep) {
  const auto system = build_system(dragged_pad(0.1, 50));
  EXPECT_NEAR(system->setup.contact.slip_speed, 0.01 * 0.2 * 0.1 / 40, 1e-12);
  EXPECT_LE(system->setup.solver.tolerance, 0.5 * system->setup.contact.slip_speed);
}

}  // namespace
}  // namespace sinew
