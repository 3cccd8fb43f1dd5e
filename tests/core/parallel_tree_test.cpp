#include "sinew/core/parallel_tree.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr int nodes = 5000;  // node k has the children 3 k + 1 to 3 k + 3

TEST(ParallelTree, CallsEachNodeOnceAfterItsParent) {
  std::vector<int> value(nodes, 0);  // not atomic: a child is ordered behind its parent
  const std::vector<int> roots{0};
  parallel_tree(roots, [&](int k, TaskFeeder& feeder) {
    value[k] += k == 0 ? 1 : value[(k - 1) / 3] + 1;
    for (int c = 3 * k + 1; c <= std::min(3 * k + 3, nodes - 1); ++c) feeder.add(c);
  });
  for (int k = 0; k < nodes; ++k) ASSERT_EQ(value[k], k == 0 ? 1 : value[(k - 1) / 3] + 1);
  parallel_tree(std::span<const int>(), [](int, TaskFeeder&) { FAIL(); });
}

TEST(ParallelTree, PassesOnWhatATaskThrows) {
  const std::vector<int> roots{1, 2, 3};
  EXPECT_THROW(parallel_tree(roots,
                             [](int k, TaskFeeder& feeder) {
                               if (k == 42) throw std::runtime_error("no");
                               if (k < 100) feeder.add(3 * k);
                               if (k < 42) feeder.add(42);
                             }),
               std::runtime_error);
}

// What one task throws leaves the walks within others whole.
TEST(ParallelTree, InnerWalksEndWhenAnotherTaskThrows) {
  for (int attempt = 0; attempt < 50; ++attempt) {
    std::atomic<int> begun = 0, whole = 0;
    EXPECT_THROW(parallel_for(
                     4,
                     [&](std::size_t i) {
                       if (i == 3) throw std::runtime_error("no");
                       ++begun;
                       std::atomic<int> done = 0;
                       const std::vector<int> roots{0};
                       parallel_tree(roots, [&](int k, TaskFeeder& feeder) {
                         if (k + 1 < 200) feeder.add(k + 1);
                         ++done;
                       });
                       if (done == 200) ++whole;
                     },
                     1),
                 std::runtime_error);
    ASSERT_EQ(begun, whole);
  }
}

TEST(ParallelInvoke, CallsAll) {
  int a = 0, b = 0, c = 0;
  parallel_invoke([&] { a = 1; }, [&] { b = 2; }, [&] { c = 3; });
  EXPECT_EQ(a + b + c, 6);
}

}  // namespace
}  // namespace sinew
