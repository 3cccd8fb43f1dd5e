// Turns SIGINT, SIGTERM and SIGHUP into a flag, so that a run can end in an orderly way. A second signal ends the
// process at once.
#pragma once

namespace sinew::app {

class InterruptGuard {
 public:
  InterruptGuard();   // handles these signals from now on
  ~InterruptGuard();  // restores the earlier handlers
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool requested();
};

}  // namespace sinew::app
