// Runs chunks of work concurrently and adds their results to shared data in a fixed order. Results are the same, bit
// for bit, for any number of threads, without a barrier and without colouring.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/core/types.h"

namespace sinew {

// Threads take runs of consecutive chunks in ascending order, compute one run and then commit its chunks. Chunks are
// computed in any order, but the commit of a chunk waits for those of its predecessors. The wait is short, because
// predecessors were taken earlier and take about as long. It always ends, because the earliest uncommitted chunk waits
// for no other. Neighbouring chunks share the most data, so a run of them stays on one thread. work and commit must
// neither throw nor start parallel loops.
class OrderedChunks {
 public:
  OrderedChunks() = default;

  // Chunk c waits for predecessors[begin[c]] .. predecessors[begin[c + 1] - 1], all less than c.
  OrderedChunks(std::vector<Index> begin, std::vector<Index> predecessors)
      : begin_(std::move(begin)),
        predecessors_(std::move(predecessors)),
        committed_(std::make_unique<std::atomic<std::uint32_t>[]>(begin_.size())) {}

  std::size_t size() const { return begin_.empty() ? 0 : begin_.size() - 1; }

  // Number of chunks in a run for so many workers: each worker gets at least 16 runs if there are enough chunks.
  std::size_t run_length(std::size_t workers) const {
    return workers == 1 ? 1 : std::clamp<std::size_t>(size() / (16 * workers), 1, 8);
  }

  // Calls work(slot, chunk), then commit(slot, chunk), for each chunk. A slot, below workers * run_length(workers), has
  // one chunk at a time. Not concurrently on one object.
  template <class Work, class Commit>
  void run(std::size_t workers, Work&& work, Commit&& commit) {
    ++run_;
    std::atomic<std::size_t> next{0};
    const std::size_t length = run_length(workers);
    parallel_for(
        workers,
        [&](std::size_t worker) {
          const std::size_t slot = worker * length;
          for (std::size_t first = next.fetch_add(length); first < size(); first = next.fetch_add(length)) {
            const std::size_t end = std::min(size(), first + length);
            for (std::size_t c = first; c < end; ++c) work(slot + c - first, static_cast<Index>(c));
            for (std::size_t c = first; c < end; ++c) {
              for (Index p = begin_[c]; p < begin_[c + 1]; ++p) wait_for(predecessors_[p]);
              commit(slot + c - first, static_cast<Index>(c));
              committed_[c].store(run_, std::memory_order_release);
            }
          }
        },
        1);
  }

 private:
  void wait_for(Index chunk) const {
    for (int spin = 0; committed_[chunk].load(std::memory_order_acquire) != run_; ++spin) {
#ifdef __x86_64__
      if (spin < 256) {
        __builtin_ia32_pause();
        continue;
      }
#endif
      std::this_thread::yield();  // the thread of the predecessor may not be running
    }
  }

  std::vector<Index> begin_, predecessors_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> committed_;  // by chunk: the last run that committed it
  std::uint32_t run_ = 0;
};

}  // namespace sinew
