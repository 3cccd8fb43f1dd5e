#include "sinew/potential/body_arcs.h"

#include <random>

#include "support/bodies.h"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace sinew {
namespace {

sinew::Setup free_box(double size, double young) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.bodies.push_back(test::body("box", make_box(Vec3(size, 0.5 * size, 0.7 * size), {2, 1, 2}),
                                    test::material("neo_hookean", young, 0.3)));
  return setup;
}

struct Case {
  std::shared_ptr<const System> system;
  StepContext context;
  Points x, d;
};

Case turning(double radians) {
  Case c;
  c.system = build_system(free_box(0.1, 1e9));
  c.context = test::resting_context(*c.system);
  c.x = c.system->rest;
  c.d.resize(3, c.x.cols());
  const Vec3 axis = Vec3(1, 2, -1).normalized();
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (Index i = 0; i < c.x.cols(); ++i)
    c.d.col(i) = radians * axis.cross(Vec3(c.x.col(i))) + Vec3(0.01, 0, 0.02) +
                 1e-4 * radians * Vec3(normal(random), normal(random), normal(random));
  return c;
}

Points bent(const Case& c, double alpha) {
  BodyArcs arcs(*c.system);
  arcs.split(c.x, c.d, c.context, -1e-30);
  EXPECT_TRUE(arcs.any());
  Points motion = alpha * c.d;
  arcs.bend(c.x, c.d, alpha, motion);
  return motion;
}

TEST(BodyArcs, AreTangentToTheDirection) {
  const Case c = turning(0.3);
  double last = 0;
  for (const double alpha : {1e-2, 1e-3, 1e-4}) {
    const double off = (bent(c, alpha) - alpha * c.d).norm() / (alpha * alpha);
    if (last > 0) {
      EXPECT_NEAR(off, last, 0.05 * last);  // of second order
    }
    last = off;
  }
}

TEST(BodyArcs, KeepTheShapeWhereTheLinearMotionStretches) {
  for (const double radians : {1e-6, 1e-3, 0.3, 2.0}) {
    const Case c = turning(radians);
    const Points motion = bent(c, 1);
    const Vec3 edge = c.x.col(5) - c.x.col(0), turned = edge + motion.col(5) - motion.col(0);
    EXPECT_NEAR(turned.norm() / edge.norm(), 1, 5e-3 * radians + 1e-15);  // what is left is the shape's own change
  }
}

// A turn by atan is what inertia asks for: implicit Euler's rigid body, to the last digit of its equation.
TEST(BodyArcs, TurnByTheArcTangent) {
  Case c = turning(0.5);
  const Vec3 axis = Vec3(1, 2, -1).normalized();
  for (Index i = 0; i < c.x.cols(); ++i) c.d.col(i) = 0.5 * axis.cross(Vec3(c.x.col(i)));
  const Points motion = bent(c, 1);
  const Mat3 R = Eigen::AngleAxisd(std::atan(0.5), axis).toRotationMatrix();
  EXPECT_LT((c.x + motion - R * c.x).norm(), 1e-14 * c.x.norm());
}

TEST(BodyArcs, AreForStiffBodiesWithNothingPrescribed) {
  const Case c = turning(0.1);
  BodyArcs arcs(*c.system);
  arcs.split(c.x, c.d, c.context, -1e30);  // the stretch costs next to nothing
  EXPECT_FALSE(arcs.any());
  sinew::Setup setup = free_box(0.1, 1e9);
  FixSetup fix;
  fix.vertices = {0};
  setup.bodies[0].fixes = {fix};
  const auto held = build_system(std::move(setup));
  const StepContext context = test::resting_context(*held);
  BodyArcs of_held(*held);
  of_held.split(c.x, c.d, context, -1e-30);
  EXPECT_FALSE(of_held.any());
}

}  // namespace
}  // namespace sinew
