#include "sinew/solver/reach_homotopy.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

// Three short steps in a row that contacts cut make barriers longer; each step that is not short halves them again.
TEST(ReachHomotopy, FollowsTheLengthsOfSteps) {
  ReachHomotopy reach;
  reach.begin();
  EXPECT_EQ(reach.next(0.01, true, false), 1);
  EXPECT_EQ(reach.next(0.5, true, false), 1);
  for (int k = 0; k < 2; ++k) EXPECT_EQ(reach.next(0.01, true, false), 1);
  EXPECT_EQ(reach.next(0.01, true, false), 8);
  EXPECT_EQ(reach.next(0.01, true, false), 8);
  EXPECT_EQ(reach.next(0.2, true, false), 4);
  EXPECT_EQ(reach.next(1, false, false), 2);
  EXPECT_EQ(reach.next(0.05, true, false), 2);
  EXPECT_EQ(reach.next(0.3, true, false), 1);
  for (int k = 0; k < 10; ++k) EXPECT_EQ(reach.next(0.01, true, false), 1) << "once per minimisation";
  reach.begin();
  for (int k = 0; k < 3; ++k) reach.next(0.01, true, false);
  EXPECT_EQ(reach.next(0.01, true, true), 1) << "the iterations end with their own barriers";
}

// Steps that something else cuts do not count, and no factor lasts for ever.
TEST(ReachHomotopy, NeedsContactsAndEnds) {
  ReachHomotopy reach;
  for (int k = 0; k < 10; ++k) EXPECT_EQ(reach.next(0.01, false, false), 1);
  for (int k = 0; k < 3; ++k) reach.next(0.01, true, false);
  int iterations = 0;
  while (reach.next(0.01, true, false) > 1 && iterations < 1000) ++iterations;
  EXPECT_LE(iterations, 75);
}

}  // namespace
}  // namespace sinew
