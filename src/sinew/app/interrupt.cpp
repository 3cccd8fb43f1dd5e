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

// A closed terminal interrupts, too, unless nohup lets the program outlive it.
void handle_hangup(void (*handler)(int)) {
  struct sigaction now {};
  sigaction(SIGHUP, nullptr, &now);
  if (now.sa_handler != SIG_IGN) handle(SIGHUP, handler);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  signalled = 0;
  handle(SIGINT, remember);
  handle(SIGTERM, remember);
  handle_hangup(remember);
}

InterruptGuard::~InterruptGuard() {
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
  handle_hangup(SIG_DFL);
}

bool InterruptGuard::requested() {
  return signalled != 0;
}

}  // namespace sinew::app
