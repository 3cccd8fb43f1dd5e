// Parallel work on the nodes of a tree, from the roots down, and on a few things at once.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "sinew/core/parallel.h"

namespace sinew {

// Adds tasks from within a task.
class TaskFeeder {
 public:
  TaskFeeder(void (*add)(void* to, int node), void* to) : add_(add), to_(to) {}

  // The task of this node begins some time after this, on any thread.
  void add(int node) { add_(to_, node); }

 private:
  void (*add_)(void* to, int node);
  void* to_;
};

void run_fed_tasks(std::span<const int> first, void (*call)(void* context, int node, TaskFeeder& feeder),
                   void* context);

// Calls f(node, feeder) for `first` and every node that is added, in any order. Throws what a call throws, after the
// others have ended.
template <class F>
void parallel_tree(std::span<const int> first, F&& f) {
  run_fed_tasks(
      first,
      [](void* context, int node, TaskFeeder& feeder) {
        (*static_cast<std::remove_reference_t<F>*>(context))(node, feeder);
      },
      &f);
}

// Calls all of these, at once where there are threads.
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
