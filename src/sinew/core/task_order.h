// Tells the thread sanitizer in which order the scheduler starts and joins tasks. Only files that are not instrumented
// themselves include this (CMakeLists.txt).
#pragma once

#ifdef SINEW_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace sinew {

#ifdef SINEW_THREAD_SANITIZER

// Reports the order of starting and joining tasks, because neither the scheduler's library nor the files with its
// templates are instrumented. The tasks of one loop stay unordered among each other, unless one adds the other, so that
// races between them are found. Lives around the loop.
class TaskOrder {
 public:
  TaskOrder() { __tsan_release(&start_); }
  ~TaskOrder() { __tsan_acquire(&end_); }

  // Lives as long as a task runs, on its thread.
  class Task {
   public:
    explicit Task(TaskOrder& order) : order_(order) { __tsan_acquire(&order_.start_); }
    ~Task() { __tsan_release(&order_.end_); }

    // Before this task adds another one, which sees what it has written.
    void adds() { __tsan_release(&order_.start_); }

   private:
    TaskOrder& order_;
  };

 private:
  char start_ = 0, end_ = 0;  // their addresses stand for the two events
};

#else

struct TaskOrder {
  TaskOrder() {}
  struct Task {
    explicit Task(TaskOrder&) {}
    void adds() {}
  };
};

#endif

}  // namespace sinew
