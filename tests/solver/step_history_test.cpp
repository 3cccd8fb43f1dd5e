#include "sinew/solver/step_history.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(StepHistory, TellsFallingFromStalledResiduals) {
  StepHistory falling, stalled, few;
  for (int i = 0; i < 30; ++i) {
    falling.add({std::pow(0.9, i), 1, StepLimit::none});
    stalled.add({i % 2 ? 1.0 : 2.0, 1, StepLimit::none});
  }
  for (int i = 0; i < 3; ++i) few.add({std::pow(0.1, i), 1, StepLimit::none});
  EXPECT_TRUE(falling.falling());
  EXPECT_FALSE(stalled.falling());
  EXPECT_FALSE(few.falling());
  EXPECT_EQ(falling.size(), StepHistory::window);
}

TEST(StepHistory, CountsWhatTheFilterDid) {
  StepHistory history;
  EXPECT_EQ(history.typical_step(), 1);
  EXPECT_EQ(history.share(StepLimit::contact), 0);
  for (int i = 0; i < 40; ++i) {
    if (i < 20)
      history.add({1, 0.001, StepLimit::inversion});
    else
      history.add({1, i % 4 ? 0.25 : 1.0, i % 4 ? StepLimit::contact : StepLimit::none});
  }
  EXPECT_EQ(history.inversion_cuts(), 20);
  EXPECT_EQ(history.contact_cuts(), 15);
  EXPECT_EQ(history.shortest_step(), 0.001);
  EXPECT_EQ(history.share(StepLimit::inversion), 0);  // long ago
  EXPECT_EQ(history.share(StepLimit::contact), 0.75);
  EXPECT_NEAR(history.typical_step(), std::pow(0.25, 0.75), 1e-12);
}

}  // namespace
}  // namespace sinew
