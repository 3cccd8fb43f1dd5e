#include "sinew/solver/forcing_term.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr double loose = 0.1;

TEST(ForcingTerm, StaysLooseWhileStepsAreLong) {
  ForcingTerm forcing(loose);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(forcing.value(), loose);
    EXPECT_FALSE(forcing.is_tight());
    forcing.took(i % 2 ? 1 : 0.3, 1);
  }
}

// Where better directions make steps longer, nearly all of them are; after that they become loose again.
TEST(ForcingTerm, IsTightWhereThatMakesStepsLonger) {
  ForcingTerm forcing(loose);
  int tight = 0;
  for (int i = 0; i < 40; ++i) {
    tight += forcing.is_tight();
    forcing.took(forcing.value() < 0.5 * loose ? 0.5 : 0.01, 1);
  }
  EXPECT_GT(tight, 25);
  for (int i = 0; i < 20; ++i) forcing.took(1, 1);
  EXPECT_FALSE(forcing.is_tight());
}

// Where they do not, trials become rare.
TEST(ForcingTerm, IsLooseWhereThatIsNoHelp) {
  ForcingTerm forcing(loose);
  int early = 0, late = 0;
  for (int i = 0; i < 200; ++i) {
    (i < 50 ? early : late) += forcing.is_tight();
    forcing.took(0.02, 1);
  }
  EXPECT_GT(early, 0);
  EXPECT_LT(early, 20);
  EXPECT_LT(late, 10);
}

TEST(ForcingTerm, StaysTightWhileHardlyAnyStepIsPossible) {
  ForcingTerm forcing(loose);
  for (int i = 0; i < 10; ++i) {
    forcing.took(i % 2 ? 0 : 1e-5, 1);
    EXPECT_TRUE(forcing.is_tight());
    EXPECT_GT(forcing.value(), 0);
  }
  forcing.took(0.5, 1);
}

// As good as the model of the step before was, for one direction, down to a tenth.
TEST(ForcingTerm, FollowsTheModel) {
  ForcingTerm forcing(loose);
  for (const double misfit : {0.9, 0.03, 0.02, 1e-6, 0.5}) {
    forcing.took(1, misfit);
    EXPECT_EQ(forcing.value(), std::min(loose, std::max(misfit, 0.1 * loose)));
    EXPECT_FALSE(forcing.is_tight());
  }
  forcing.took(0, 1);
  EXPECT_TRUE(forcing.is_tight());
  EXPECT_EQ(forcing.value(), 0.1 * loose);
}

}  // namespace
}  // namespace sinew
