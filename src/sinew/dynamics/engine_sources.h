// What is kept on disk is known by the code that made it, too: states that a simulation has reached.
#pragma once

#include <string_view>

namespace sinew {

// A hash of all sources up to this folder (src/sinew/CMakeLists.txt): other code has other files in the cache.
std::string_view engine_sources();

}  // namespace sinew
