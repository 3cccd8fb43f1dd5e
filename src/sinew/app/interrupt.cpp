#include "sinew/app/interrupt.h"

#include <csignal>

namespace sinew::app {
namespace {

volatile std::sig_atomic_t signalled = 0;  // signal handlers can reach nothing else

void remember(int) {
  signalled = 1;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  signalled = 0;
  handle(SIGINT, remember);
  handle(SIGTERM, remember);
}

InterruptGuard::~InterruptGuard() {
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
}

bool InterruptGuard::requested() {
  return signalled != 0;
}

}  // namespace sinew::app
