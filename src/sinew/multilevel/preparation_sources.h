// Identifies the code that made the cached partitions, bases and cubature rules.
#pragma once

#include <string_view>

namespace sinew {

// Returns a hash of the sources that make them (src/sinew/CMakeLists.txt), so that changed code uses other cache files.
std::string_view preparation_sources();

}  // namespace sinew
