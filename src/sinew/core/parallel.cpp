#include "sinew/core/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include "sinew/core/lost_threads.h"
#include "sinew/core/task_order.h"

namespace sinew {

void run_tasks(std::size_t count, void (*call)(void* context, std::size_t k), void* context) {
  if (lost_threads()) {
    for (std::size_t k = 0; k < count; ++k) call(context, k);
    return;
  }
  TaskOrder order;
  // What one task throws cancels the others of this loop, but not the loops within them: these would end early without
  // a word, and their callers go on with half of the work done.
  tbb::task_group_context isolated(tbb::task_group_context::isolated);
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        const TaskOrder::Task task(order);
        for (std::size_t k = range.begin(); k != range.end(); ++k) call(context, k);
      },
      isolated);
}

struct ThreadLimit::Control {
  tbb::global_control control;
};

ThreadLimit::ThreadLimit(int threads) {
  const int count = threads > 0 ? threads : tbb::info::default_concurrency();
  control_.reset(new Control{tbb::global_control(tbb::global_control::max_allowed_parallelism, count)});
}

ThreadLimit::~ThreadLimit() = default;

int thread_count() {
  if (lost_threads()) return 1;
  return static_cast<int>(
      std::min<std::size_t>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism),
                            tbb::info::default_concurrency()));
}

}  // namespace sinew
