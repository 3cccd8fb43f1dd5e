// Guards calls of METIS, which uses the random numbers and the signal handlers of the whole process.
#pragma once

#include <mutex>

namespace sinew {

// Two calls at once would draw from the same random numbers, so results would depend on the timing of threads. During a
// call METIS handles SIGTERM: its handler jumps out of the call, on whatever thread the handler runs. This class only
// notes the signal, and raises it again after the call, when the program's own handler is back.
class MetisLock {
 public:
  MetisLock();
  ~MetisLock();
  MetisLock(const MetisLock&) = delete;
  MetisLock& operator=(const MetisLock&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
};

}  // namespace sinew
