#include "sinew/potential/ordered_chunks.h"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

namespace sinew::test {
namespace {

// Chunk c shares data with c - 1 and c - 3: their commits come before its own, whatever the number of workers.
TEST(OrderedChunks, CommitsFollowThePredecessors) {
  constexpr Index count = 2000;
  std::vector<Index> begin{0}, predecessors;
  for (Index c = 0; c < count; ++c) {
    for (const Index p : {c - 3, c - 1})
      if (p >= 0) predecessors.push_back(p);
    begin.push_back(static_cast<Index>(predecessors.size()));
  }
  OrderedChunks chunks(begin, predecessors);
  EXPECT_EQ(chunks.size(), count);
  for (const std::size_t workers : {1, 2, 5}) {
    std::vector<std::atomic<int>> worked(count), committed(count);
    std::atomic<int> early = 0;
    chunks.run(
        workers,
        [&](std::size_t slot, Index c) {
          EXPECT_LT(slot, workers * chunks.run_length(workers));
          ++worked[c];
        },
        [&](std::size_t, Index c) {
          for (Index p = begin[c]; p < begin[c + 1]; ++p) early += committed[predecessors[p]] == 0;
          ++committed[c];
        });
    EXPECT_EQ(early, 0);
    for (Index c = 0; c < count; ++c) EXPECT_TRUE(worked[c] == 1 && committed[c] == 1);
  }
}

TEST(OrderedChunks, NothingToDo) {
  OrderedChunks().run(
      2, [](std::size_t, Index) { FAIL(); }, [](std::size_t, Index) { FAIL(); });
}

}  // namespace
}  // namespace sinew::test
