// When rounding is all that is left of a minimisation.
#include "sinew/solver/stop_test.h"

#include <gtest/gtest.h>

#include "sinew/solver/line_search.h"

namespace sinew {
namespace {

TEST(StopTest, EndsWhereRoundingIsAllThatIsLeft) {
  const StopTest test(1e-3, false, 1e-3);
  LineSearchResult search;
  search.accepted = true;
  EXPECT_FALSE(test.at_rounding(search, true, 1e-4, 1e-12));
  search.accepted = false;
  EXPECT_TRUE(test.at_rounding(search, true, 1e-4, 1e-12));    // small, and no trial decreases E
  EXPECT_FALSE(test.at_rounding(search, false, 1e-2, 1e-12));  // a direction that is not small must
  search.at_floor = true;
  EXPECT_FALSE(test.at_rounding(search, false, 1e-2, 1e-12));
  EXPECT_TRUE(test.at_rounding(search, false, 1e-11, 1e-12));  // ... but for one that positions cannot tell from none
}

TEST(StepNorms, OfTheFirstVerticesOverTheStep) {
  Points d = Points::Zero(3, 3);
  d.col(0) = Vec3(3, 0, 4);
  d.col(2) = Vec3(100, 0, 0);
  const StepNorms norms = step_norms(d, 2, 0.5);
  EXPECT_DOUBLE_EQ(norms.max, 10);
  EXPECT_DOUBLE_EQ(norms.mean, 5);
  EXPECT_EQ(norms.of(true), norms.mean);
}

}  // namespace
}  // namespace sinew
