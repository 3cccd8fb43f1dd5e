// The gallery's train of gears: they turn each other by contact alone.
#include <cmath>

#include "support/paths.h"
#include "support/run.h"
#include <gtest/gtest.h>

#include "sinew/scene/scene.h"

namespace sinew::gears_test {

// Pitch circles roll on each other but for the backlash, which is 1.2 mm between two gears (each tooth is 0.6 mm
// thinner than the space beside it): over any time the arcs of neighbours differ by no more.
TEST(Gears, TurnAsTheirTeethSay) {
  constexpr double module = 0.01, backlash = 1.2e-3, duration = 1;
  const int teeth[] = {24, 12, 36};
  Scene scene = read_scene(test::source_folder() + "/scenes/gallery/gears.json", {"time.step=0.02"});
  scene.setup.bodies.resize(3);
  Simulation simulation(build_system(std::move(scene.setup)));
  const System& system = simulation.system();
  const auto angle = [&](const Points& x, int gear) {
    const SystemBody& body = system.bodies[gear];
    const Vec3 arm = x.col(body.user_begin) - x.middleCols(body.user_begin, body.vertex_count).rowwise().mean();
    return std::atan2(arm[1], arm[0]);
  };
  Points before = system.user_rest;
  double turned[3] = {};
  const int steps = static_cast<int>(std::lround(duration / 0.02));
  test::run_checked(simulation, steps, [&](const StepReport&) {
    const Points now = system.to_user(simulation.state().x);
    for (int k = 0; k < 3; ++k) turned[k] += std::remainder(angle(now, k) - angle(before, k), 2 * M_PI);
    before = now;
  });
  EXPECT_NEAR(turned[0], (22.5 + 45) * M_PI / 180, 1e-6);  // as driven
  for (int k = 1; k < 3; ++k) {
    const double arc =
        0.5 * module * (teeth[k] * turned[k] + teeth[k - 1] * turned[k - 1]);  // they turn against each other
    EXPECT_LE(std::abs(arc), backlash) << "gear " << k + 1;
  }
}

}  // namespace sinew::gears_test
