#include "support/bodies.h"
#include "support/run.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

// A stiff spinning body turns by a third of a right angle a step in a few iterations, whatever its stiffness.
TEST(StiffSpin, TakesFewIterations) {
  for (const double young : {1e6, 1e9, 1e12}) {
    sinew::Setup setup;
    setup.gravity.setZero();
    setup.bodies.push_back(
        test::body("box", make_box(Vec3(0.01, 0.005, 0.007), {2, 1, 2}), test::material("neo_hookean", young, 0.3)));
    setup.bodies[0].angular_velocity = Vec3(30, 50, 10);
    Simulation simulation(build_system(std::move(setup)));
    int iterations = 0;
    test::run_checked(simulation, 5, [&](const StepReport& report) { iterations += report.newton_iterations; });
    EXPECT_LE(iterations, 75) << young;
  }
}

}  // namespace
}  // namespace sinew
