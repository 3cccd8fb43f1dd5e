// Parallel work on the nodes of a tree, from the roots down, and parallel calls of a few functions.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "sinew/core/parallel.h"

namespace sinew {

// Adds tasks from within a running task.
class TaskFeeder {
 public:
  TaskFeeder(void (*add)(void* to, int node), void* to) : add_(add), to_(to) {}

  // Schedules the task of a node; it may begin at any later time, on any thread.
  void add(int node) { add_(to_, node); }

 private:
  void (*add_)(void* to, int node);
  void* to_;
};

void run_fed_tasks(std::span<const int> first, void (*call)(void* context, int node, TaskFeeder& feeder),
                   void* context);

// Calls f(node, feeder) for the nodes in `first` and every node that is added, in any order. If a call throws, rethrows
// after the other calls have ended.
template <class F>
void parallel_tree(std::span<const int> first, F&& f) {
  run_fed_tasks(
      first,
      [](void* context, int node, TaskFeeder& feeder) {
        (*static_cast<std::remove_reference_t<F>*>(context))(node, feeder);
      },
      &f);
}

// Calls all functions, in parallel if there are threads.
template <class... F>
void parallel_invoke(F&&... f) {
  parallel_for(
      sizeof...(F),
      [&](std::size_t k) {
        std::size_t i = 0;
        ((i++ == k ? f() : void()), ...);
      },
      1);
}

}  // namespace sinew
