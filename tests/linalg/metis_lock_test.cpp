// METIS has a handler of its own for SIGTERM while it works: signals must wait until it is done.
#include "sinew/linalg/metis_lock.h"

#include <csignal>

#include <gtest/gtest.h>

namespace sinew {
namespace {

volatile std::sig_atomic_t seen = 0;

TEST(MetisLock, HoldsSignalsBack) {
  for (const int signal : {SIGTERM, SIGINT}) {
    seen = 0;
    auto* const before = std::signal(signal, [](int) { seen = 1; });
    {
      const MetisLock lock;
      std::raise(signal);
      EXPECT_EQ(seen, 0);
    }
    EXPECT_EQ(seen, 1);
    std::signal(signal, before);
  }
}

}  // namespace
}  // namespace sinew
