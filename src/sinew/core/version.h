// The version of sinew.
#pragma once

namespace sinew {

// As in CMakeLists.txt (tests/architecture/layers_test.py compares them).
inline constexpr const char* version = "0.1.0";

}  // namespace sinew
