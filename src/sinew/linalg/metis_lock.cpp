#include "sinew/linalg/metis_lock.h"

#include <csignal>

#include <dlfcn.h>

namespace {

using Handler = void (*)(int);

volatile std::sig_atomic_t metis_term_waits = 0;
Handler metis_handler = nullptr;  // METIS's own

}  // namespace

// METIS installs the function of this name for SIGTERM and SIGABRT, in each of its calls. This one takes its place, as
// symbols of a program come before those of its libraries.
extern "C" __attribute__((visibility("default"))) void gk_sigthrow(int signal) {
  if (signal == SIGTERM) {
    metis_term_waits = 1;
  } else if (metis_handler) {
    metis_handler(signal);  // out of memory
  }
}

namespace sinew {
namespace {

std::mutex metis_mutex;

}  // namespace

MetisLock::MetisLock() : lock_(metis_mutex) {
  if (!metis_handler) metis_handler = reinterpret_cast<Handler>(::dlsym(RTLD_NEXT, "gk_sigthrow"));
}

MetisLock::~MetisLock() {
  if (!metis_term_waits) return;
  metis_term_waits = 0;
  std::raise(SIGTERM);
}

}  // namespace sinew
