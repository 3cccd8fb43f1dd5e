// The wall clock of live simulations; tests replace it.
#pragma once

#include <chrono>
#include <functional>

namespace sinew {

using WallClock = std::chrono::steady_clock;
using WallNow = std::function<WallClock::time_point()>;

}  // namespace sinew
