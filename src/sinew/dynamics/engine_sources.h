// Identifies the code that computed cached states.
#pragma once

#include <string_view>

namespace sinew {

// Returns a hash of all sources up to this folder (src/sinew/CMakeLists.txt), so that changed code uses other cache
// files.
std::string_view engine_sources();

}  // namespace sinew
