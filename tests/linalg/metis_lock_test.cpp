// METIS has a handler of its own for SIGTERM while it works: the signal must wait until it is done.
#include "sinew/linalg/metis_lock.h"

#include <csignal>

#include <gtest/gtest.h>

extern "C" void gk_sigthrow(int signal);  // that METIS installs

namespace sinew {
namespace {

volatile std::sig_atomic_t seen = 0;

TEST(MetisLock, RaisesTheSignalAgain) {
  auto* const before = std::signal(SIGTERM, [](int) { seen = 1; });
  seen = 0;
  {
    const MetisLock lock;
    auto* const own = std::signal(SIGTERM, gk_sigthrow);
    std::raise(SIGTERM);
    EXPECT_EQ(seen, 0);
    std::signal(SIGTERM, own);
  }
  EXPECT_EQ(seen, 1);
  seen = 0;
  { const MetisLock lock; }
  EXPECT_EQ(seen, 0);
  std::signal(SIGTERM, before);
}

}  // namespace
}  // namespace sinew
