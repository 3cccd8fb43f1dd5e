// What is kept on disk is known by the code that made it, too: partitions, bases and cubature rules.
#pragma once

#include <string_view>

namespace sinew {

// A hash of the sources that make them (src/sinew/CMakeLists.txt): other code has other files in the cache.
std::string_view preparation_sources();

}  // namespace sinew
