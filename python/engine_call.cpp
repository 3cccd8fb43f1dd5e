#include "engine_call.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "module.h"
#include "warnings.h"
#include <pthread.h>
#include <unistd.h>

#include "sinew/core/error.h"

namespace sinew::python {
namespace {

struct Gate {
  std::mutex mutex;
  std::condition_variable left;
  int inside = 0;         // threads in a call, or about to take the GIL after one
  bool unusable = false;  // forked while a thread was inside, which is not there to go on
  std::atomic<bool> ending = false;
  std::thread::id finisher;  // the thread that ends the interpreter: its calls are as ever

  bool ends_here() const { return ending && finisher != std::this_thread::get_id(); }
};

// Never destroyed: threads may wait in it when the process ends.
Gate& gate() {
  static Gate& instance = *new Gate;
  return instance;
}

[[noreturn]] void wait_for_ever() {
  while (true) ::pause();
}

// Python calls this when the main thread is done: others may still be in a call, with no one to wait for them. Ctrl-C
// ends the wait.
void finish() {
  Gate& g = gate();
  g.finisher = std::this_thread::get_id();
  g.ending = true;
  while (PyErr_CheckSignals() == 0) {
    bool done = false;
    {
      const py::gil_scoped_release release;  // some take it before they leave
      std::unique_lock lock(g.mutex);
      done = g.left.wait_for(lock, std::chrono::milliseconds(100), [&] { return g.inside == 0; });
    }
    if (done) return end_messages();
  }
  throw py::error_already_set();
}

#ifdef __GLIBC__
// The destructors of the numerical libraries wait for locks that threads held when the process was forked (OpenBLAS:
// server_lock). A child that has such locks ends without them; all that Python does at its end has been done by then.
void end_child(int status, void*) {
  if (!gate().unusable) return;
  std::fflush(nullptr);
  ::_exit(status);
}
#endif

}  // namespace

EngineCall::EngineCall() : state_(PyEval_SaveThread()) {
  Gate& g = gate();
  std::unique_lock lock(g.mutex);
  const bool unusable = g.unusable;
  if (!unusable && !g.ends_here()) {
    ++g.inside;
    return;
  }
  lock.unlock();
  if (!unusable) wait_for_ever();
  PyEval_RestoreThread(state_);
  throw SimulationError(
      code::python_call,
      "this process was forked during a call of sinew in another thread, so parts of the engine are locked. Start "
      "processes with multiprocessing.get_context(\"spawn\"), or fork outside such calls");
}

EngineCall::~EngineCall() {
  Gate& g = gate();
  const auto leave = [&] {
    if (g.inside > 0) --g.inside;  // none in a child that was forked within
    g.left.notify_all();
  };
  std::unique_lock lock(g.mutex);
  if (g.ends_here()) {
    leave();
    lock.unlock();
    wait_for_ever();
  }
  lock.unlock();
  PyEval_RestoreThread(state_);  // where the interpreter ends just now, finish() waits for this
  lock.lock();
  leave();
}

bool must_end() {
  return gate().ends_here();
}

void watch_process() {
#ifdef __GLIBC__
  ::on_exit(&end_child, nullptr);
#endif
  py::module_::import("atexit").attr("register")(py::cpp_function(&finish));
  ::pthread_atfork([] { gate().mutex.lock(); }, [] { gate().mutex.unlock(); },
                   [] {
                     Gate& g = gate();
                     g.unusable = g.unusable || g.inside > 0;
                     g.inside = 0;
                     g.mutex.unlock();
                   });
}

}  // namespace sinew::python
