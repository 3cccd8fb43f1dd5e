// Motion in a rotating frame against the same motion seen from rest.
#include "support/bodies.h"
#include "support/run.h"
#include <gtest/gtest.h>

namespace sinew::spin_motion_test {
namespace {

const Vec3 start(0.5, 0.2, -0.3), velocity(-1, 0.4, 0.7), spin_center(0.1, 0, 0.2), axis = Vec3(1, 2, 2) / 3;

struct Flight {
  Integrator integrator = Integrator::implicit_euler;
  const char* method = "newton";
  const char* subspace = "eigenmodes";
  bool keyed = false;  // the frame starts at rest
};

// A cube that flies freely for a second; its distance from where a straight flight ends [m].
double miss(const Flight& flight, int steps) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.time = {.step = 1.0 / steps, .steps = steps, .integrator = flight.integrator};
  setup.spin = SpinSetup{axis, spin_center, 1.5, {}};
  if (flight.keyed) setup.spin->keys = Keyframes{{0, 1}, MatX{{0, 3}}};
  setup.contact.enabled = false;
  setup.solver.method = flight.method;
  setup.solver.subspace = flight.subspace;
  setup.solver.handles = 5;
  setup.solver.cubature_rule = "all";
  setup.solver.tolerance = 1e-9;
  setup.bodies.push_back(test::body("cube", make_box(Vec3::Constant(0.1), {2, 2, 2}),
                                    test::material("stable_neo_hookean", 1e7, 0.3), start));
  setup.bodies[0].velocity = velocity;
  if (!flight.keyed) setup.bodies[0].velocity -= setup.spin->speed * axis.cross(start - spin_center);
  Simulation simulation(build_system(std::move(setup)));
  for (int s = 0; s < steps; ++s) simulation.step();
  const Mat3 back = Eigen::AngleAxisd(-1.5, axis).toRotationMatrix();
  const Vec3 expected = spin_center + back * (start + velocity - spin_center);
  Vec3 center = Vec3::Zero();
  double mass = 0;
  const State& full = simulation.state();
  for (Index i = 0; i < simulation.system().dynamic_count; ++i) {
    center += simulation.system().mass[i] * full.x.col(i);
    mass += simulation.system().mass[i];
  }
  return (center / mass - expected).norm();
}

TEST(SpinMotion, FreeFlightIsStraightFromOutside) {
  for (const bool keyed : {false, true}) {
    const Flight first{Integrator::implicit_euler, "newton", "eigenmodes", keyed};
    EXPECT_NEAR(miss(first, 40) / miss(first, 80), 2, 0.2) << keyed;
    const Flight second{Integrator::bdf2, "newton", "eigenmodes", keyed};
    EXPECT_NEAR(miss(second, 40) / miss(second, 80), 4, 0.8) << keyed;
    EXPECT_LT(miss(second, 160), 1e-3) << keyed;
  }
}

TEST(SpinMotion, SubspacesFlyAsFullSpace) {
  for (const bool keyed : {false, true}) {
    const double expected = miss({Integrator::bdf2, "newton", "eigenmodes", keyed}, 40);
    for (const char* subspace : {"eigenmodes", "linear", "full"})
      for (const char* method : {"reduced", "mixed"})
        EXPECT_NEAR(miss({Integrator::bdf2, method, subspace, keyed}, 40), expected, 0.02 * expected)
            << method << ' ' << subspace << ' ' << keyed;
  }
}

TEST(SpinMotion, MethodsOfAllVerticesAgree) {
  const double expected = miss({Integrator::bdf2, "newton"}, 20);
  for (const char* method : {"newton-pcg", "multilevel", "quasi_newton", "adaptive"})
    EXPECT_NEAR(miss({Integrator::bdf2, method}, 20), expected, 0.05 * expected) << method;
}

// A body at rest in the frame stays there, whatever the step.
TEST(SpinMotion, HeldBodyRestsInItsEquilibrium) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.spin = SpinSetup{Vec3::UnitY(), Vec3(-1, 0, 0), 20, {}};
  setup.contact.enabled = false;
  setup.solver.tolerance = 1e-10;
  setup.bodies.push_back(
      test::body("bar", make_box(Vec3(1, 0.1, 0.1), {8, 1, 1}), test::material("stable_neo_hookean", 1e7, 0.3)));
  FixSetup fix;
  fix.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[0] < -0.499; });
  setup.bodies[0].fixes = {fix};
  sinew::Setup statics = setup;
  statics.time.integrator = Integrator::statics;
  statics.time.steps = 1;
  Simulation still(build_system(std::move(statics)));
  still.step();
  setup.time = {.step = 0.5, .steps = 60, .integrator = Integrator::implicit_euler};
  Simulation moving(build_system(std::move(setup)));
  for (int s = 0; s < 60; ++s) moving.step();
  const double stretch = (still.state().x - still.system().rest).norm();
  EXPECT_GT(stretch, 1e-3);
  EXPECT_LT((moving.state().x - still.state().x).norm(), 1e-3 * stretch);
}

TEST(SpinMotion, RefusesNewmark) {
  sinew::Setup setup;
  setup.time.integrator = Integrator::newmark;
  setup.spin = SpinSetup{};
  setup.bodies.push_back(
      test::body("cube", make_box(Vec3::Constant(0.1), {1, 1, 1}), test::material("stable_neo_hookean", 1e7, 0.3)));
  EXPECT_THROW(build_system(std::move(setup)), InputError);
}

}  // namespace
}  // namespace sinew::spin_motion_test
