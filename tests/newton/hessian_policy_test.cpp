#include "sinew/newton/hessian_policy.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

// A direction of this length, with the exact Hessian if that is due (and definite), after which `step` of it is taken.
bool next(HessianPolicy& policy, bool definite, double length, double step) {
  const bool due = policy.due();
  if (due) {
    policy.tried(definite);
  } else {
    policy.passed_over();
  }
  policy.found(length);
  policy.took(step);
  return due;
}

TEST(HessianPolicy, FactorisationsTryEachTimeWhileTheHessianIsDefinite) {
  HessianPolicy policy(true);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(next(policy, true, 1, 1));
}

// Lost attempts are followed by 1, 2, 4, 4, ... directions without one.
TEST(HessianPolicy, LostAttemptsBecomeRare) {
  HessianPolicy policy(true);
  for (const int skipped : {1, 2, 4, 4, 4}) {
    EXPECT_TRUE(next(policy, false, 1, 1));
    for (int i = 0; i < skipped; ++i) EXPECT_FALSE(next(policy, false, 1, 1));
  }
  EXPECT_TRUE(next(policy, true, 1, 1));
  EXPECT_TRUE(next(policy, false, 1, 1));
  EXPECT_FALSE(next(policy, true, 1, 1));
  EXPECT_TRUE(next(policy, true, 1, 1));
}

TEST(HessianPolicy, IterativeSolversTryWhereDirectionsCreep) {
  HessianPolicy policy(false);
  for (const double length : {1.0, 0.4, 0.15, 0.06}) EXPECT_FALSE(next(policy, true, length, 1));
  EXPECT_FALSE(next(policy, true, 0.05, 1));  // found to creep here
  EXPECT_TRUE(next(policy, true, 0.04, 1));
  EXPECT_TRUE(next(policy, true, 1e-3, 1));  // for as long as it is definite
  EXPECT_TRUE(next(policy, false, 1e-5, 1));
  EXPECT_FALSE(next(policy, true, 1e-7, 1));
  EXPECT_FALSE(next(policy, true, 1e-9, 1));
  policy.begin_step();
  EXPECT_FALSE(next(policy, true, 1, 0.1));
  EXPECT_TRUE(next(policy, true, 0.9, 1));  // after a step that was cut
}

}  // namespace
}  // namespace sinew
