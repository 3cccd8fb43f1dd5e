// A scope for calls of METIS, which uses two things of the whole process: its random numbers and its signal handlers.
#pragma once

#include <mutex>

#include "sinew/core/signal_mask.h"

namespace sinew {

// Two calls at once would draw from the same random numbers: results would depend on the timing of threads. And during
// a call SIGTERM is METIS's: its handler jumps out of the call, which then ends with status -4. Here the signal waits
// until the call is over and the program's own handler is back.
class MetisLock {
 public:
  MetisLock();

 private:
  std::lock_guard<std::mutex> lock_;
  SignalMask mask_;
};

}  // namespace sinew
