// Holds SIGINT and SIGTERM back from a thread.
#pragma once

#include <csignal>

namespace sinew {

// While it lives the thread that made it gets neither signal. Signals sent to the process wait, or go to another
// thread.
class SignalMask {
 public:
  SignalMask();
  ~SignalMask();
  SignalMask(const SignalMask&) = delete;
  SignalMask& operator=(const SignalMask&) = delete;

  // Holds them back from the calling thread for good: for threads that help the main one.
  static void set_for_this_thread();

 private:
  sigset_t before_;
};

}  // namespace sinew
