#include "sinew/newton/exact_trials.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

// A direction of this length, with the exact Hessian if that is due (and definite), after which `step` of it is taken.
bool next(ExactTrials& trials, bool definite, double length, double step) {
  const bool due = trials.due();
  if (due) {
    trials.tried(definite);
  } else {
    trials.passed_over();
  }
  trials.found(length);
  trials.took(step);
  return due;
}

TEST(ExactTrials, FactorisationsTryEachTimeWhileTheHessianIsDefinite) {
  ExactTrials trials(true);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(next(trials, true, 1, 1));
}

// Lost attempts are followed by 1, 2, 4, 4, ... directions without one.
TEST(ExactTrials, LostAttemptsBecomeRare) {
  ExactTrials trials(true);
  for (const int skipped : {1, 2, 4, 4, 4}) {
    EXPECT_TRUE(next(trials, false, 1, 1));
    for (int i = 0; i < skipped; ++i) EXPECT_FALSE(next(trials, false, 1, 1));
  }
  EXPECT_TRUE(next(trials, true, 1, 1));
  EXPECT_TRUE(next(trials, false, 1, 1));
  EXPECT_FALSE(next(trials, true, 1, 1));
  EXPECT_TRUE(next(trials, true, 1, 1));
}

TEST(ExactTrials, IterativeSolversTryWhereDirectionsCreep) {
  ExactTrials trials(false);
  for (const double length : {1.0, 0.4, 0.15, 0.06}) EXPECT_FALSE(next(trials, true, length, 1));
  EXPECT_FALSE(next(trials, true, 0.05, 1));  // found to creep here
  EXPECT_TRUE(next(trials, true, 0.04, 1));
  EXPECT_TRUE(next(trials, true, 1e-3, 1));  // for as long as it is definite
  EXPECT_TRUE(next(trials, false, 1e-5, 1));
  EXPECT_FALSE(next(trials, true, 1e-7, 1));
  EXPECT_FALSE(next(trials, true, 1e-9, 1));
  trials.begin_step();
  EXPECT_FALSE(next(trials, true, 1, 0.1));
  EXPECT_TRUE(next(trials, true, 0.9, 1));  // after a step that was cut
}

}  // namespace
}  // namespace sinew
