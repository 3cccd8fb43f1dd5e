// NAFEMS contact benchmark CGS-4 (sliding wedge): a block under a vertical load G is pushed by a horizontal force F up
// a slope tan a = 0.1 with mu = 0.3. It slides at F/G = (tan a + mu) / (1 - mu tan a) = 0.412371.
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"

#include "sinew/mesh/surface.h"

namespace sinew::friction_ratio_test {
namespace {

constexpr double slope = 0.1, mu = 0.3, nafems_ratio = 0.412371;
constexpr double width = 0.2, height = 0.1, density = 1000, g = 9.81;
constexpr double weight = density * width * width * height * g;

// The slope rises along +x.
Mat3 turn() {
  return Eigen::AngleAxisd(std::atan(slope), Vec3::UnitZ()).toRotationMatrix();
}

TetMesh wedge_block(double gap) {
  TetMesh mesh = make_box(Vec3(width, height, width), {2, 1, 2});
  mesh.vertices.row(1).array() += 0.5 * height + gap;
  mesh.vertices = (turn() * mesh.vertices).eval();
  return mesh;
}

Setup wedge() {
  const double distance = 1e-3, stiffness = 1e6;
  sinew::Setup setup;
  setup.gravity = Vec3(0, -g, 0);
  setup.time.step = 0.01;
  setup.contact.friction = mu;
  setup.contact.distance = distance;
  setup.contact.stiffness = stiffness;
  setup.contact.friction_iterations = 5;
  setup.contact.slip_speed = 1e-3;
  setup.solver.tolerance = 1e-7;
  const double gap = distance * (1 - 0.5 * std::sqrt(density * g * height / (6 * stiffness)));
  setup.bodies.push_back(
      test::body("block", wedge_block(gap), test::material("stable_neo_hookean", 1e7, 0.3, density)));
  ObstacleSetup plane;
  plane.name = "slope";
  plane.plane = PlaneSetup{Vec3::Zero(), turn() * Vec3::UnitY()};
  setup.obstacles.push_back(plane);
  return setup;
}

// Speed up the slope after a second under F = ratio G on the lower end, brought up over 0.3 s.
double speed_under(double ratio) {
  sinew::Setup setup = wedge();
  const TetMesh& mesh = setup.bodies[0].mesh;
  const Points flat = turn().transpose() * mesh.vertices;
  const Triangles all = boundary_triangles(mesh.tets);
  LoadSetup load;
  load.kind = LoadKind::force;
  load.vector = Vec3(ratio * weight, 0, 0);
  load.factor = Keyframes{{0, 0.3}, (MatX(1, 2) << 0, 1).finished()};
  for (Index f = 0; f < all.cols(); ++f) {
    bool end = true;
    for (int k = 0; k < 3; ++k) end &= flat(0, all(k, f)) < -0.499 * width;
    if (!end) continue;
    load.faces.conservativeResize(3, load.faces.cols() + 1);
    load.faces.rightCols(1) = all.col(f);
  }
  setup.bodies[0].loads.push_back(load);
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, 100);
  return test::linear_momentum(simulation).dot(turn() * Vec3::UnitX()) / (weight / g);
}

TEST(NafemsCgs4, SticksJustBelowAndSlidesJustAboveTheRatio) {
  const double slip_speed = 1e-3;
  const double below = speed_under(0.995 * nafems_ratio), above = speed_under(1.005 * nafems_ratio);
  std::printf("speed below %.3g, above %.3g m/s\n", below, above);
  EXPECT_LT(below, slip_speed);
  // Coulomb's acceleration for 0.7 s: G' = F (cos a - mu sin a) - G (sin a + mu cos a).
  const double a = std::atan(slope);
  const double excess = 1.005 * nafems_ratio * (std::cos(a) - mu * std::sin(a)) - (std::sin(a) + mu * std::cos(a));
  EXPECT_GT(above, 0.7 * excess * g * 0.8);
  EXPECT_GT(above, slip_speed);
}

// Pushed at a constant speed well above slip_speed, the reaction over the weight is the ratio itself.
TEST(NafemsCgs4, ReactionWhileSliding) {
  sinew::Setup setup = wedge();
  const Points flat = turn().transpose() * setup.bodies[0].mesh.vertices;
  FixSetup push;
  for (Index i = 0; i < flat.cols(); ++i)
    if (flat(0, i) < -0.499 * width) push.vertices.push_back(i);
  push.axes = {true, false, false};
  const double speed = 0.02;
  push.motion.translation = Keyframes{{0, 10}, (MatX(3, 2) << 0, 10 * speed, 0, 0, 0, 0).finished()};
  setup.bodies[0].fixes.push_back(push);
  setup.bodies[0].velocity = turn() * Vec3(speed * std::sqrt(1 + slope * slope), 0, 0);
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, 150);
  double mean = 0;
  const int measured = 30;
  test::run_checked(simulation, measured,
                    [&](const StepReport&) { mean += simulation.forces().reaction.row(0).sum() / weight / measured; });
  std::printf("F/G %.6f, NAFEMS %.6f\n", mean, nafems_ratio);
  EXPECT_NEAR(mean, nafems_ratio, 0.005 * nafems_ratio);
}

}  // namespace
}  // namespace sinew::friction_ratio_test
