// Identifies the code that made the partitions, bases and cubature rules on disk.
#pragma once

#include <string_view>

namespace sinew {

// A hash of the sources that make them (src/sinew/CMakeLists.txt): changed code uses other cache files.
std::string_view preparation_sources();

}  // namespace sinew
