#include "sinew/perturbation/vibrations.h"

#include "modes/rest_bars.h"
#include "perturbation/columns.h"
#include "support/cavities.h"
#include "support/ties.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/modes/linear_modes.h"

namespace sinew {
namespace {

using test::Held;

TEST(Vibrations, OfTheRestStateAreTheLinearModes) {
  for (const Held held : {Held::nowhere, Held::at_an_end, Held::along_one_axis}) {
    const auto system = test::two_bars(held);
    const ModeSet expected = linear_modes(*system, test::prescribed(*system), 16);
    const Tangent tangent(*system, initial_state(*system), ContactTangent::open);
    const ModeSet modes = vibrations(tangent, 16);
    ASSERT_EQ(modes.values.size(), 16);
    for (Index k = 0; k < 16; ++k) EXPECT_NEAR(modes.values[k], expected.values[k], 1e-6 * expected.values[k]) << k;
    const MatX gram = modes.vectors.transpose() * tangent.multiply_mass(modes.vectors);
    EXPECT_LT((gram - MatX::Identity(16, 16)).norm(), 1e-6);
  }
}

// A block that is tied to another vibrates with it: both together have six motions without stiffness.
TEST(Vibrations, TiedBodiesMoveTogether) {
  const auto system = build_system(test::tied_blocks(0));
  const Tangent tangent(*system, initial_state(*system), ContactTangent::open);
  const ModeSet modes = vibrations(tangent, 8);
  EXPECT_EQ((modes.values.array() == 0).count(), 6);
  // The mass of both moves in a rigid motion, the tied vertices included.
  VecX shift = VecX::Zero(tangent.rows());
  double mass = 0;
  for (Index i = 0; i < system->dynamic_count; ++i) {
    if (!tangent.fixed()[3 * static_cast<std::size_t>(i)]) shift[3 * i] = 1;
    mass += system->mass[i];
  }
  EXPECT_NEAR(shift.dot(tangent.multiply_mass(shift).col(0)), mass, 1e-12 * mass);
  EXPECT_NEAR(shift.dot(Tangent::multiply(tangent.mass(), shift).col(0)), mass, 1e-12 * mass);
  for (Index k = 6; k < 8; ++k) {
    const MatX u = modes.vectors.col(k);
    MatX free = u;
    tangent.set_fixed_to_zero(free);
    MatX placed = free;
    tangent.place_tied(placed);
    EXPECT_LT((placed - u).norm(), 1e-12 * u.norm());
  }
}

// A bar that is shortened beyond its Euler load has a mode that grows.
TEST(Vibrations, UnstableStatesHaveNegativeValues) {
  const auto system = test::column(Vec3::Zero());
  State state = initial_state(*system);
  ModeSet before = vibrations(Tangent(*system, state, ContactTangent::open), 2);
  EXPECT_GT(before.values[0], 0);
  state.x.row(0) *= 0.97;
  const ModeSet modes = vibrations(Tangent(*system, state, ContactTangent::open), 2);
  EXPECT_LT(modes.values[0], 0);
  state.x.row(0) *= 1.06 / 0.97;
  EXPECT_GT(vibrations(Tangent(*system, state, ContactTangent::open), 2).values[0], 2 * before.values[0]);
}

TEST(Vibrations, HaveTheSameBitsForAnyNumberOfThreads) {
  const auto system = test::column(Vec3(0, -1, 0));
  std::vector<ModeSet> found;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    found.push_back(vibrations(Tangent(*system, initial_state(*system), ContactTangent::open), 5));
  }
  EXPECT_EQ(found[0].values, found[1].values);
  EXPECT_EQ(found[0].vectors, found[1].vectors);
}

TEST(Vibrations, RefuseMoreModesThanCoordinates) {
  const auto system = test::column(Vec3::Zero());
  const Tangent tangent(*system, initial_state(*system), ContactTangent::open);
  EXPECT_THROW(vibrations(tangent, tangent.free_count() + 1), InputError);
}

// A piston on gas has the frequency of a gas spring, omega^2 = gamma p A^2 / (V m).
TEST(Vibrations, GasIsASpring) {
  for (const double exponent : {1.0, 1.4}) {
    const auto system = build_system(test::gas_piston(exponent));
    const Tangent tangent(*system, initial_state(*system), ContactTangent::open);
    const double expected =
        exponent * test::air * test::piston_area * test::piston_area / (test::piston_volume * test::piston_mass);
    EXPECT_NEAR(vibrations(tangent, 1).values[0], expected, 2e-3 * expected);
  }
}

}  // namespace
}  // namespace sinew
