#include "sinew/core/parallel_tree.h"

#include <tbb/parallel_for_each.h>
#include <tbb/task_group.h>

#include "sinew/core/lost_threads.h"
#include "sinew/core/task_order.h"

namespace sinew {
namespace {

void run_fed_tasks_alone(std::span<const int> first, void (*call)(void* context, int node, TaskFeeder& feeder),
                         void* context) {
  std::vector<int> remaining(first.begin(), first.end());
  TaskFeeder feeder([](void* to, int added) { static_cast<std::vector<int>*>(to)->push_back(added); }, &remaining);
  while (!remaining.empty()) {
    const int node = remaining.back();
    remaining.pop_back();
    call(context, node, feeder);
  }
}

}  // namespace

void run_fed_tasks(std::span<const int> first, void (*call)(void* context, int node, TaskFeeder& feeder),
                   void* context) {
  if (lost_threads()) return run_fed_tasks_alone(first, call, context);
  TaskOrder order;
  tbb::task_group_context isolated(tbb::task_group_context::isolated);  // as in run_tasks()
  tbb::parallel_for_each(
      first.begin(), first.end(),
      [&](int node, tbb::feeder<int>& queue) {
        struct Target {
          TaskOrder::Task task;
          tbb::feeder<int>& queue;
        } target{TaskOrder::Task(order), queue};
        TaskFeeder feeder(
            [](void* to, int added) {
              auto& there = *static_cast<Target*>(to);
              there.task.adds();
              there.queue.add(added);
            },
            &target);
        call(context, node, feeder);
      },
      isolated);
}

}  // namespace sinew
