// Names the code that partitions, bases and cubature rules on disk were made by.
#pragma once

#include <string_view>

namespace sinew {

// A hash of the sources that make them (src/sinew/CMakeLists.txt): other code has other files in the cache.
std::string_view preparation_sources();

}  // namespace sinew
