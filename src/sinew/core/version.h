// The version of sinew.
#pragma once

namespace sinew {

// The version in CMakeLists.txt, for example "0.1.0".
extern const char* const version;

// The instruction set for which the engine was compiled: a level of x86-64 ("x86-64-v3"), or that of the build machine
// ("native: AVX2").
const char* instructions();

}  // namespace sinew
