// Calls into the engine without Python's global lock (GIL), the end of the interpreter while they last, and fork.
#pragma once

#include <Python.h>

namespace sinew::python {

// While it lives, this thread works in the engine and does not hold the GIL. Where the interpreter ends meanwhile, the
// thread stops here for ever: to take the GIL again would end it, through C++ frames that cannot be left like that.
class EngineCall {
 public:
  // Throws SimulationError in a process that was forked while another thread was in such a call.
  EngineCall();
  ~EngineCall();
  EngineCall(const EngineCall&) = delete;
  EngineCall& operator=(const EngineCall&) = delete;

 private:
  PyThreadState* state_;
};

// Whether the work of this thread is of no use any more, because the interpreter ends.
bool must_end();

// To be called once: ends calls of other threads when the interpreter ends, and watches for forks.
void watch_process();

}  // namespace sinew::python
