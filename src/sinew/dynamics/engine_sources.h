// Names the code that states on disk were computed by.
#pragma once

#include <string_view>

namespace sinew {

// A hash of all sources up to this folder (src/sinew/CMakeLists.txt): other code has other files in the cache.
std::string_view engine_sources();

}  // namespace sinew
