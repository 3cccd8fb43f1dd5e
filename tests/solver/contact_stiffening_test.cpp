// The adaptive contact stiffness: doubled while a tiny gap closes, never above its bound.
#include "sinew/solver/contact_stiffening.h"

#include <limits>

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(ContactStiffening, DoublesWhileATinyGapCloses) {
  ContactStiffening policy;
  policy.begin(std::numeric_limits<double>::infinity());
  const double diagonal = 2;
  EXPECT_EQ(policy.next(1e-3, diagonal, false, 100, 1e4), 100);    // closes, but is not tiny
  EXPECT_EQ(policy.next(1e-9, diagonal, false, 100, 1e4), 200);    // tiny and closing
  EXPECT_EQ(policy.next(1e-9, diagonal, false, 200, 1e4), 200);    // no longer closing
  EXPECT_EQ(policy.next(1.5e-9, diagonal, false, 200, 1e4), 200);  // opening
  EXPECT_EQ(policy.next(1.4e-9, diagonal, false, 200, 1e4), 400);
}

TEST(ContactStiffening, StaysBelowItsBoundAndNeverFalls) {
  ContactStiffening policy;
  policy.begin(1e-10);
  EXPECT_EQ(policy.next(9e-11, 1, false, 6000, 1e4), 1e4);
  EXPECT_EQ(policy.next(8e-11, 1, false, 1e4, 1e4), 1e4);
  EXPECT_EQ(policy.next(7e-11, 1, false, 2e4, 1e4), 2e4);  // given by the scene above the bound
}

TEST(ContactStiffening, DoublesWhileBodiesGiveNoRoom) {
  ContactStiffening policy;
  policy.begin(1e-3);
  EXPECT_EQ(policy.next(1e-3, 1, true, 100, 350), 200);
  EXPECT_EQ(policy.next(1e-3, 1, true, 200, 350), 350);
}

}  // namespace
}  // namespace sinew
