#include "sinew/core/lost_threads.h"

#include <atomic>

#include <pthread.h>

namespace sinew {
namespace {

std::atomic<bool> lost = false;

}  // namespace

bool lost_threads() {
  [[maybe_unused]] static const int watching = ::pthread_atfork(nullptr, nullptr, [] { lost = true; });
  return lost;
}

}  // namespace sinew
