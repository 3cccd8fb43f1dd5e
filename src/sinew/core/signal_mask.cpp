#include "sinew/core/signal_mask.h"

namespace sinew {
namespace {

void block(sigset_t* before) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, before);
}

}  // namespace

SignalMask::SignalMask() {
  block(&before_);
}

SignalMask::~SignalMask() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void SignalMask::set_for_this_thread() {
  block(nullptr);
}

}  // namespace sinew
