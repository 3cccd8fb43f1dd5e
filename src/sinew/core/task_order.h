// Tells the thread sanitizer in which order the scheduler starts and joins tasks. Only files that are not instrumented
// may include this (CMakeLists.txt).
#pragma once

#ifdef SINEW_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace sinew {

#ifdef SINEW_THREAD_SANITIZER

// Reports when tasks start and are joined, because neither the scheduler's library nor the files with its templates are
// instrumented. Tasks of one loop stay unordered, unless one adds the other, so that the sanitizer finds races between
// them. Create it before the loop and destroy it after.
class TaskOrder {
 public:
  TaskOrder() { __tsan_release(&start_); }
  ~TaskOrder() { __tsan_acquire(&end_); }

  // Create it at the start of a task, on the task's thread, and destroy it at the end.
  class Task {
   public:
    explicit Task(TaskOrder& order) : order_(order) { __tsan_acquire(&order_.start_); }
    ~Task() { __tsan_release(&order_.end_); }

    // Call before this task adds another task, which may then read what this task has written.
    void adds() { __tsan_release(&order_.start_); }

   private:
    TaskOrder& order_;
  };

 private:
  char start_ = 0, end_ = 0;  // the addresses stand for the two events
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
