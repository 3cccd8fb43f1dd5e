// The wall clock of live simulations. Tests have one that passes as they say.
#pragma once

#include <chrono>
#include <functional>

namespace sinew {

using WallClock = std::chrono::steady_clock;
using WallNow = std::function<WallClock::time_point()>;

}  // namespace sinew
