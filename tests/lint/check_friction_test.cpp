// What check says of friction that its settings lose.
#include "support/bodies.h"
#include <gmock/gmock.h>

#include "sinew/lint/check_parts.h"
#include "sinew/model/automatic_scales.h"

namespace sinew::check_friction_test {
namespace {

sinew::Setup block_on_floor(double friction) {
  sinew::Setup setup;
  setup.contact.friction = friction;
  setup.bodies.push_back(test::body("block", make_box(Vec3(2, 1, 2), {2, 1, 2}),
                                    test::material("neo_hookean", 1e6, 0.3), Vec3(0, 0.51, 0)));
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}

// Pushed by a metre in a hundred load steps.
sinew::Setup pushed(double slip) {
  sinew::Setup setup = block_on_floor(0.5);
  setup.time.integrator = Integrator::statics;
  setup.contact.slip_speed = slip;
  FixSetup all;
  for (Index i = 0; i < setup.bodies[0].mesh.vertex_count(); ++i) all.vertices.push_back(i);
  all.motion.translation = Keyframes{{0, 1}, (MatX(3, 2) << 0, 1, 0, 0, 0, 0).finished()};
  setup.bodies[0].fixes = {all};
  return setup;
}

Json findings(sinew::Setup setup) {
  Findings found;
  check_friction(*build_system(std::move(setup)), found);
  return found.json(/*primitives=*/false);
}

TEST(CheckFriction, IsSilentOnDefaultsAndWithoutFriction) {
  EXPECT_EQ(findings(block_on_floor(0.5)).size(), 0u);
  EXPECT_EQ(findings(pushed(0)).size(), 0u);
  sinew::Setup smooth = block_on_floor(0);
  smooth.solver.tolerance = 1;
  EXPECT_EQ(findings(std::move(smooth)).size(), 0u);
}

TEST(CheckFriction, NamesATolerancePastTheSlipSpeed) {
  sinew::Setup setup = block_on_floor(0.5);
  setup.solver.tolerance = 1e-3;
  const Json found = findings(std::move(setup));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["kind"], "friction");
  EXPECT_THAT(found[0]["message"].get<std::string>(), testing::HasSubstr("does not resolve contact.slip_speed"));
  EXPECT_THAT(found[0]["remedy"].get<std::string>(), testing::HasSubstr("0.0005"));
}

TEST(CheckFriction, NamesASlipOfManyLoadSteps) {
  const Json found = findings(pushed(5e-3));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["severity"], "warning");
  EXPECT_THAT(found[0]["message"].get<std::string>(), testing::HasSubstr("0.5 of the largest prescribed motion"));
}

// The softer of elasticity and inertia: a hundred times rho L (g + v / h), v of a fall by the diagonal.
TEST(AutomaticScales, ContactStiffnessIsBoundedByInertia) {
  sinew::Setup setup = block_on_floor(0);
  setup.bodies[0].materials[0] = test::material("neo_hookean", 1e12, 0.3);
  const auto stiff = build_system(setup);
  const double g = 9.81, speed = std::sqrt(2 * g * 3.0);
  EXPECT_NEAR(stiff->contact_stiffness, 100 * 1000 * 3 * (g + speed / setup.time.step),
              1e-6 * stiff->contact_stiffness);
  setup.time.integrator = Integrator::statics;
  EXPECT_NEAR(build_system(setup)->contact_stiffness, 1e11, 1e3);
  setup.contact.stiffness = 7;
  EXPECT_EQ(build_system(setup)->contact_stiffness, 7);
}

}  // namespace
}  // namespace sinew::check_friction_test
