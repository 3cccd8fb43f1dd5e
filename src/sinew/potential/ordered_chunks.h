// Runs chunks of work concurrently whose results are added to shared data in a fixed order: the same bits for any
// number of threads, without a barrier and without colouring.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/core/types.h"

namespace sinew {

// Threads take the chunks in ascending order. Work needs no order; the commit of a chunk waits for those of its
// predecessors. As these were taken before and take about as long, the wait is short; it ends always, because the
// earliest chunk that is not committed waits for none. work and commit must not throw nor start parallel loops.
class OrderedChunks {
 public:
  OrderedChunks() = default;

  // Chunk c waits for predecessors[begin[c]] .. predecessors[begin[c + 1] - 1], all less than c.
  OrderedChunks(std::vector<Index> begin, std::vector<Index> predecessors)
      : begin_(std::move(begin)),
        predecessors_(std::move(predecessors)),
        committed_(std::make_unique<std::atomic<std::uint32_t>[]>(begin_.size())) {}

  std::size_t size() const { return begin_.empty() ? 0 : begin_.size() - 1; }

  // work(worker, chunk), then commit(worker, chunk); worker < workers, at most one call a worker at a time. Not
  // concurrently on one object.
  template <class Work, class Commit>
  void run(std::size_t workers, Work&& work, Commit&& commit) {
    ++run_;
    std::atomic<std::size_t> next{0};
    parallel_for(
        workers,
        [&](std::size_t worker) {
          for (std::size_t c = next++; c < size(); c = next++) {
            work(worker, static_cast<Index>(c));
            for (Index p = begin_[c]; p < begin_[c + 1]; ++p) wait_for(predecessors_[p]);
            commit(worker, static_cast<Index>(c));
            committed_[c].store(run_, std::memory_order_release);
          }
        },
        1);
  }

 private:
  void wait_for(Index chunk) const {
    for (int spin = 0; committed_[chunk].load(std::memory_order_acquire) != run_; ++spin) {
      if (spin < 256)
        __builtin_ia32_pause();
      else
        std::this_thread::yield();  // its thread may not be running
    }
  }

  std::vector<Index> begin_, predecessors_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> committed_;  // the number of the last run in which each was
  std::uint32_t run_ = 0;
};

}  // namespace sinew
