// Identifies the code that computed cached modes.
#pragma once

#include <string_view>

namespace sinew {

// Returns a hash of the sources (src/sinew/CMakeLists.txt), so that changed code uses other cache files.
std::string_view mode_sources();

}  // namespace sinew
