// Steps that move far less than solver.tolerance asks, and stiff bodies that are pressed slowly.
#include <algorithm>

#include "support/bodies.h"
#include "support/run.h"

namespace sinew {
namespace {

// A steel cantilever that starts to swing at 0.7 thousandths of its length a second.
Simulation swinging(const char* method) {
  sinew::Setup setup;
  setup.time.step = 5e-4;
  setup.time.integrator = Integrator::bdf2;
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.solver.method = method;
  const TetMesh mesh = make_box(Vec3(0.3, 0.01, 0.01), {25, 2, 2});
  BodySetup bar = test::body("bar", mesh, test::material("neo_hookean", 2e11, 0.3, 7800));
  FixSetup fix;
  fix.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[0] < -0.1499; });
  bar.fixes.push_back(fix);
  bar.velocity = Vec3(0, 2e-4, 0);
  setup.bodies.push_back(std::move(bar));
  return Simulation(build_system(std::move(setup)));
}

// Each step of a method loses at most lost_share or adaptive.accuracy of its way, and the swing of 8 steps that much.
TEST(SlowMotion, SmallSwingsAreNotDampedAway) {
  constexpr int steps = 24;
  Simulation newton = swinging("newton");
  std::vector<Points> right;
  double largest = 0;
  const auto way = [](const Simulation& simulation) { return Points(simulation.state().x - simulation.system().rest); };
  for (int step = 0; step < steps; ++step) {
    newton.step();
    right.push_back(way(newton));
    largest = std::max(largest, right.back().colwise().norm().maxCoeff());
  }
  EXPECT_GT(largest, 1e-7);
  for (const char* method : {"multilevel", "adaptive", "quasi_newton"}) {
    Simulation simulation = swinging(method);
    double off = 0;
    for (int step = 0; step < steps; ++step) {
      EXPECT_TRUE(simulation.step().converged) << method;
      off = std::max(off, (way(simulation) - right[step]).colwise().norm().maxCoeff());
    }
    EXPECT_LT(off, 0.05 * largest) << method;
  }
}

// A steel block between a floor and a plane that comes down, with the contact stiffness of dynamics, a millionth of
// Young's modulus: it grows until the block is pressed and not the gap. Force of a bar that is free to widen, E A u /
// l.
TEST(SlowMotion, APressedSteelBlockCarriesWhatPresses) {
  constexpr double young = 2e11, height = 0.01, side = 0.02, way = 5e-5;
  sinew::Setup setup;
  setup.time.step = 1e-3;
  setup.gravity.setZero();
  setup.solver.method = "newton";
  setup.bodies.push_back(test::body("block", make_box(Vec3(side, height, side), {4, 3, 4}),
                                    test::material("neo_hookean", young, 0.3, 7800), Vec3(0, 0.5 * height + 5e-6, 0)));
  setup.obstacles.push_back(test::floor_plane());
  ObstacleSetup press;
  press.name = "press";
  press.plane = PlaneSetup{Vec3(0, height + 1e-5, 0), -Vec3::UnitY()};
  press.motion.translation = Keyframes{{0, 0.02}, (MatX(3, 2) << 0, 0, 0, -way, 0, 0).finished()};
  setup.obstacles.push_back(press);
  Simulation simulation(build_system(std::move(setup)));
  const double distance = simulation.system().contact_distance;
  StepReport report;
  for (int step = 0; step < 20; ++step) {
    report = test::checked_step(simulation);
    EXPECT_GT(report.min_distance, 1e-4 * distance);
  }
  const NodalForces forces = simulation.forces();
  const double pressed = way - 1e-5 + 2 * report.min_distance;
  EXPECT_NEAR(0.5 * forces.contact.row(1).cwiseAbs().sum(), young * side * side * pressed / height,
              0.02 * young * side * side * pressed / height);
}

}  // namespace
}  // namespace sinew
