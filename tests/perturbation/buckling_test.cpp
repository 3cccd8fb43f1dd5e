#include "sinew/perturbation/buckling.h"

#include "perturbation/columns.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/perturbation/load_change.h"
#include "sinew/perturbation/vibrations.h"

namespace sinew {
namespace {

Tangent tangent_at_rest(const System& system) {
  return {system, initial_state(system), ContactTangent::scene};
}

// At the linear solution under a share of the factor, the bar is stable below 1 and unstable above.
TEST(Buckling, FactorsSeparateStableFromUnstableStates) {
  const auto system = test::column(Vec3(-1, 0, 0));
  Tangent tangent = tangent_at_rest(*system);
  const ModeSet modes = buckling(tangent, {2, false});
  ASSERT_EQ(modes.values.size(), 2);
  EXPECT_GT(modes.values[0], 0);
  EXPECT_GT(modes.values[1], modes.values[0]);
  for (Index k = 0; k < 2; ++k) {
    const auto shape = Eigen::Map<const Points>(modes.vectors.col(k).data(), 3, system->dynamic_count);
    EXPECT_NEAR(shape.colwise().norm().maxCoeff(), 1, 1e-12);
  }
  for (const double share : {0.97, 1.03}) {
    const auto loaded = test::column(Vec3(-share * modes.values[0], 0, 0));
    Tangent unloaded = tangent_at_rest(*loaded);
    SymBlockMatrix K = unloaded.stiffness();
    const auto factor = unloaded.factor(K);
    ASSERT_TRUE(factor);
    const VecX u = linear_response(unloaded, *factor, load_change(unloaded, "test"));
    State state = initial_state(*loaded, 1);
    state.x.leftCols(loaded->dynamic_count) += Eigen::Map<const Points>(u.data(), 3, loaded->dynamic_count);
    const ModeSet about = vibrations(Tangent(*loaded, state, ContactTangent::scene), 1);
    EXPECT_EQ(about.values[0] > 0, share < 1) << about.values[0];
  }
}

// The weight of a hanging bar does not buckle it; that of a standing one does.
TEST(Buckling, ReversedLoadsHaveTheFactorsOfTheOtherSign) {
  const auto standing = test::column(Vec3(-1, 0, 0)), hanging = test::column(Vec3(1, 0, 0));
  Tangent stands = tangent_at_rest(*standing), hangs = tangent_at_rest(*hanging);
  const double expected = buckling(stands, {1, false}).values[0];
  EXPECT_NEAR(buckling(hangs, {1, true}).values[0], expected, 1e-6 * expected);
}

TEST(Buckling, RefusesLoadsThatDoNotChangeAndBodiesThatAreFree) {
  const auto without = test::column(Vec3::Zero());
  Tangent tangent = tangent_at_rest(*without);
  EXPECT_THROW(buckling(tangent, {}), InputError);
  sinew::Setup free = test::column_setup(Vec3(-1, 0, 0));
  free.bodies[0].fixes.clear();
  free.sensors.clear();
  const auto system = build_system(std::move(free));
  Tangent unheld = tangent_at_rest(*system);
  EXPECT_THROW(buckling(unheld, {}), InputError);
}

// A bolt that keeps its force gives way as loads grow. One with a shortening counts as a load.
TEST(Buckling, RefusesBoltsThatKeepAForce) {
  sinew::Setup setup = test::column_setup(Vec3(-1, 0, 0));
  BoltSetup bolt;
  bolt.normal = Vec3::UnitX();
  bolt.value = 1;
  setup.bodies[0].bolts = {bolt};
  const auto kept = build_system(setup);
  Tangent tangent = tangent_at_rest(*kept);
  EXPECT_THROW(buckling(tangent, {}), InputError);
  setup.bodies[0].bolts[0].by_force = false;
  setup.bodies[0].bolts[0].value = 1e-6;
  const auto shortened = build_system(setup);
  Tangent held = tangent_at_rest(*shortened);
  EXPECT_EQ(buckling(held, {1, false}).values.size(), 1);
}

}  // namespace
}  // namespace sinew
