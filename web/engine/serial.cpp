// Parallel loops on the one thread of a page. Chunks and the order of their sums are those of core/parallel.h.
#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/core/parallel_tree.h"

namespace sinew {

struct ThreadLimit::Control {};

ThreadLimit::ThreadLimit(int) {}
ThreadLimit::~ThreadLimit() = default;

int thread_count() {
  return 1;
}

void run_tasks(std::size_t count, void (*call)(void* context, std::size_t k), void* context) {
  for (std::size_t k = 0; k < count; ++k) call(context, k);
}

void run_fed_tasks(std::span<const int> first, void (*call)(void* context, int node, TaskFeeder& feeder),
                   void* context) {
  std::vector<int> remaining(first.begin(), first.end());
  TaskFeeder feeder([](void* to, int added) { static_cast<std::vector<int>*>(to)->push_back(added); }, &remaining);
  while (!remaining.empty()) {
    const int node = remaining.back();
    remaining.pop_back();
    call(context, node, feeder);
  }
}

}  // namespace sinew
