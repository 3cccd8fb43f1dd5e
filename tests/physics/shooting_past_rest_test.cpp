// Steps in which contacts come to rest: the exact Hessian of friction alone lets directions slip far past it, so that
// steps are cut again and again.
#include "support/bodies.h"
#include "support/run.h"

namespace sinew {
namespace {

struct Totals {
  int iterations = 0, most = 0;
  Points x;
};

// A soft body thrown on the floor, which sticks while it is pressed flat.
Totals thrown(const std::string& method, TetMesh mesh, double speed, double drop, double young, double tolerance) {
  sinew::Setup setup;
  setup.time.step = 0.01;
  setup.contact.friction = 0.5;
  setup.contact.distance = 1e-3;
  setup.contact.slip_speed = 1e-5;
  setup.solver.method = method;
  setup.solver.tolerance = tolerance;
  setup.solver.max_iterations = 2000;
  setup.solver.handles = 6;
  setup.solver.multilevel.cache = false;
  setup.contact.friction_iterations = 1;  // iterations are those of one minimisation
  mesh.vertices.row(1).array() += 5e-3 - mesh.vertices.row(1).minCoeff();
  setup.bodies.push_back(test::body("body", mesh, test::material("neo_hookean", young, 0.4)));
  setup.bodies[0].velocity = Vec3(speed, -drop, 0);
  setup.obstacles.push_back(test::floor_plane());
  Simulation simulation(build_system(std::move(setup)));
  Totals totals;
  test::run_checked(simulation, 8, [&](const StepReport& report) {
    totals.iterations += report.newton_iterations;
    totals.most = std::max(totals.most, report.newton_iterations);
  });
  std::printf("%s, %g and %g m/s, %g Pa: %d iterations, at most %d in a step\n", method.c_str(), speed, drop, young,
              totals.iterations, totals.most);
  totals.x = simulation.state().x;
  return totals;
}

TetMesh ball() {
  return make_sphere(0.1, 0.045);
}
TetMesh block() {
  return make_box(Vec3(0.2, 0.1, 0.2), {6, 3, 6});
}

// With the exact Hessian alone: 588 iterations, 137 in one step.
TEST(ShootingPastRest, ASoftBallThatIsFlattened) {
  const Totals totals = thrown("multilevel", ball(), 1, 8, 3e4, 1e-3);
  EXPECT_LT(totals.iterations, 250);
  EXPECT_LT(totals.most, 90);
}

// With the exact Hessian alone: 137 iterations, 56 in one step.
TEST(ShootingPastRest, AFastBlock) {
  const Totals totals = thrown("multilevel", block(), 5, 8, 1e6, 1e-3);
  EXPECT_LT(totals.iterations, 100);
  EXPECT_LT(totals.most, 40);
}

// The way to the solution does not change it: newton and multilevel, whose steps are cut at different places, agree.
TEST(ShootingPastRest, MethodsAgree) {
  const double tolerance = 1e-7;
  const Totals newton = thrown("newton", block(), 1, 2, 1e6, tolerance);
  const Totals multilevel = thrown("multilevel", block(), 1, 2, 1e6, tolerance);
  EXPECT_LT((newton.x - multilevel.x).cwiseAbs().maxCoeff(), 8 * 0.01 * 100 * tolerance);
}

}  // namespace
}  // namespace sinew
