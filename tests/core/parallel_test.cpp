#include "sinew/core/parallel.h"

#include <atomic>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/core/parallel_tree.h"

namespace sinew {
namespace {

TEST(ParallelChunks, CoverEachIndexOnce) {
  for (const std::size_t n : {0u, 1u, 7u, 64u, 1001u}) {
    std::vector<int> visits(n, 0);
    parallel_chunks(n, 8, [&](std::size_t begin, std::size_t end) {
      EXPECT_EQ(begin % 8, 0u);
      EXPECT_LE(end - begin, 8u);
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), static_cast<long>(n));
  }
}

TEST(ParallelChunks, NestAndSeeWhatWasWrittenBeforeThem) {
  std::vector<double> written(1 << 12), sums(64, 0);
  for (int round = 0; round < 20; ++round) {
    std::fill(written.begin(), written.end(), round);  // by this thread, read by the tasks
    parallel_for(
        sums.size(),
        [&](std::size_t k) {
          std::vector<double> local(written);
          sums[k] = parallel_sum(
              local.size(), [&](std::size_t i) { return local[i]; }, 64);
        },
        1);
    for (const double sum : sums) EXPECT_EQ(sum, round * 4096.0);  // by the tasks, read by this thread
  }
}

TEST(ParallelChunks, PassOnWhatATaskThrows) {
  const auto failing = [](std::size_t i) {
    if (i == 700) throw std::runtime_error("at 700");
  };
  EXPECT_THROW(parallel_for(1000, failing, 10), std::runtime_error);
}

// A loop inside a task either does all of its work or throws, whatever the tasks beside it do.
TEST(ParallelChunks, InnerLoopsEndWhenAnotherTaskThrows) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> cut_short = 0;
    const auto task = [&](std::size_t k) {
      for (int repeat = 0; repeat < 20; ++repeat) {
        std::atomic<int> done = 0;
        parallel_for(
            200,
            [&](std::size_t i) {
              if (k == 1 && repeat == 1 && i == 100) throw std::runtime_error("at 100");
              double sum = 0;
              for (int j = 0; j < 200; ++j) sum += std::sqrt(static_cast<double>(j + i));
              if (sum > 0) ++done;
            },
            10);
        if (done != 200) ++cut_short;
      }
    };
    EXPECT_THROW(parallel_for(16, task, 1), std::runtime_error);
    EXPECT_EQ(cut_short, 0);
  }
}

TEST(ParallelSum, HasTheSameBitsForAnyNumberOfThreads) {
  const auto term = [](std::size_t i) { return std::sin(static_cast<double>(i)); };
  const double all = parallel_sum(100000, term, 100);
  const ThreadLimit one(1);
  EXPECT_EQ(parallel_sum(100000, term, 100), all);
}

TEST(ParallelMax, IsThatOfAllChunks) {
  const auto value = [](std::size_t i) { return -std::abs(static_cast<double>(i) - 777); };
  EXPECT_EQ(parallel_max(1000, -1e300, value, 10), 0);
  EXPECT_EQ(parallel_max(1000, 5, value, 10), 5);
  EXPECT_EQ(parallel_min(1000, 1e300, value, 10), -777);
}

TEST(ParallelSort, SortsAnyNumberOfChunks) {
  for (const std::size_t n : {0u, 1u, 15u, 16u, 17u, 48u, 1000u, 4096u, 4097u}) {
    std::vector<std::uint32_t> values(n);
    std::uint32_t state = 1;
    for (std::uint32_t& v : values) v = (state = state * 1664525u + 1013904223u) >> 8;
    std::vector<std::uint32_t> expected = values;
    std::sort(expected.begin(), expected.end());
    parallel_sort(values.begin(), values.end(), std::less<>(), 16);
    EXPECT_EQ(values, expected) << n;
  }
}

// The threads stay behind in the parent.
TEST(Fork, LoopsRunInTheChild) {
  const auto sum = [] {
    double total = parallel_sum(1 << 20, [](std::size_t i) { return 1 / (1.0 + static_cast<double>(i)); });
    std::atomic<int> nodes = 0;
    const int first[] = {0, 1};
    parallel_tree(first, [&](int node, TaskFeeder& feeder) {
      ++nodes;
      if (node < 200) feeder.add(node + 2);
    });
    return total + nodes;
  };
  const double expected = sum();
  for (int round = 0; round < 20; ++round) {
    sum();  // the threads may not sleep yet
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);  // ends it when it hangs
      ::_exit(sum() == expected && thread_count() == 1 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }
  EXPECT_EQ(sum(), expected);
}

}  // namespace
}  // namespace sinew
