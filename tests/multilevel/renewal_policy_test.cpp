#include "sinew/multilevel/renewal_policy.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr double fresh = 10;  // iterations with new matrices

// A policy after one direction with new matrices.
RenewalPolicy started(int most = 1000) {
  RenewalPolicy policy(most);
  EXPECT_EQ(policy.choose(true), Renewal::all);
  EXPECT_EQ(policy.choose(false), Renewal::all);
  policy.served(Renewal::all, fresh);
  return policy;
}

TEST(RenewalPolicy, KeepsMatricesThatCostNothing) {
  RenewalPolicy policy = started();
  for (int i = 0; i < 100; ++i) {
    for (const bool apart : {false, true}) EXPECT_EQ(policy.choose(apart), Renewal::none);
    policy.served(Renewal::none, fresh);
  }
}

TEST(RenewalPolicy, MatricesServeNoLongerThanTheyMay) {
  RenewalPolicy policy = started(3);
  int served = 0;
  for (; policy.choose(true) == Renewal::none; ++served) policy.served(Renewal::none, fresh);
  EXPECT_EQ(served, 3);
  RenewalPolicy never = started(0);
  EXPECT_EQ(never.choose(true), Renewal::all);
}

TEST(RenewalPolicy, DroppedMatricesAreMadeAnew) {
  RenewalPolicy policy = started();
  policy.drop();
  EXPECT_EQ(policy.choose(true), Renewal::all);
  policy.served(Renewal::all, fresh);
  EXPECT_EQ(policy.choose(true), Renewal::none);
}

// Small costs add up until all is made anew: at more than 20, here after the fifth direction of five more each.
TEST(RenewalPolicy, CostsAddUp) {
  RenewalPolicy policy = started();
  int served = 0;
  for (; policy.choose(false) == Renewal::none; ++served) policy.served(Renewal::none, fresh + 5);
  EXPECT_EQ(served, 5);
}

// Contacts alone are a smaller matter: at more than 8, and what they have cost once is expected of the next ones.
TEST(RenewalPolicy, ContactsThatGetOldFastAreRenewedEachTime) {
  RenewalPolicy policy = started();
  policy.served(Renewal::none, fresh + 12);
  EXPECT_EQ(policy.choose(true), Renewal::contacts);
  policy.served(Renewal::contacts, fresh);
  EXPECT_EQ(policy.choose(true), Renewal::contacts);  // 12 times 0.8
  policy.served(Renewal::contacts, fresh);
  EXPECT_EQ(policy.choose(true), Renewal::none);  // 12 times 0.64: worth looking again
  policy.served(Renewal::none, fresh);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(policy.choose(true), Renewal::none);
    policy.served(Renewal::none, fresh);
  }
}

// What directions with new contacts take beyond is for the rest of the matrices.
TEST(RenewalPolicy, AllIsMadeAnewWhereNewContactsAreNoHelp) {
  RenewalPolicy policy = started();
  policy.served(Renewal::contacts, fresh + 21);
  EXPECT_EQ(policy.choose(true), Renewal::all);
}

}  // namespace
}  // namespace sinew
