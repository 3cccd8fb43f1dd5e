// What a step warns of although it converges.
#include "support/bodies.h"
#include "support/run.h"
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

// Two cubes of 1 cm, 4 cm apart, the first on its way to the second.
sinew::Setup two_cubes(double speed) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.time.step = 0.01;
  for (const char* name : {"pellet", "target"}) {
    const Vec3 offset(setup.bodies.empty() ? 0 : 0.05, 0, 0);
    setup.bodies.push_back(
        test::body(name, make_box(Vec3::Constant(0.01), {1, 1, 1}), test::material("neo_hookean", 1e6, 0.4), offset));
  }
  setup.bodies[0].velocity = Vec3(speed, 0, 0);
  return setup;
}

TEST(StepWatch, BodiesThatMeetAtSeveralSizesAStep) {
  Simulation fast(build_system(two_cubes(5)));
  EXPECT_THAT(fast.step().warnings,
              ElementsAre(HasSubstr("bodies 'pellet' and 'target' meet at 0.05 m a step, 2.9 times")));
  // A body that becomes fast later.
  sinew::Setup setup = two_cubes(0);
  setup.bodies[0].acceleration = Vec3(200, 0, 0);
  Simulation later(build_system(std::move(setup)));
  EXPECT_THAT(later.step().warnings, IsEmpty());
  int warned = 0;
  for (int step = 1; step < 4; ++step) warned += !later.step().warnings.empty();
  EXPECT_EQ(warned, 1);
  // Past each other, or slowly.
  Simulation aside(build_system(two_cubes(-5)));
  EXPECT_THAT(aside.step().warnings, IsEmpty());
  Simulation slow(build_system(two_cubes(0.5)));
  for (int step = 0; step < 10; ++step) EXPECT_THAT(slow.step().warnings, IsEmpty());
}

sinew::Setup cube(const std::string& model) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.bodies.push_back(test::body("cube", make_box(Vec3::Ones(), {1, 1, 1}), test::material(model, 1e6, 0.3)));
  return setup;
}

// The mirror image.
Points turned_inside_out(const System& system) {
  Points x = system.rest.leftCols(system.dynamic_count);
  x.row(1) *= -1;
  return x;
}

TEST(StepWatch, TetsInsideOut) {
  Simulation simulation(build_system(cube("stable_neo_hookean")));
  EXPECT_THAT(simulation.step().warnings, IsEmpty());
  const auto system = build_system(cube("stable_neo_hookean"));
  Simulation inverted(system);
  inverted.set_positions(turned_inside_out(*system));
  const StepReport report = inverted.step();
  EXPECT_LT(report.min_jacobian, 0);
  EXPECT_THAT(report.warnings, ElementsAre(HasSubstr("inside out")));
  const auto strict = build_system(cube("neo_hookean"));
  Simulation refusing(strict);
  EXPECT_THAT([&] { refusing.set_positions(turned_inside_out(*strict)); },
              ThrowsMessage<InputError>(HasSubstr("det F = -1 of tet ")));
}

}  // namespace
}  // namespace sinew
