// SIGINT and SIGTERM as a flag, so that a run can end in an orderly way. A second signal ends the process at once.
#pragma once

namespace sinew::app {

class InterruptGuard {
 public:
  InterruptGuard();   // takes over both signals
  ~InterruptGuard();  // gives them back
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool requested();
};

}  // namespace sinew::app
