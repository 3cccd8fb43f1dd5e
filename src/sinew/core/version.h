// The version of sinew.
#pragma once

namespace sinew {

// The version of CMakeLists.txt, as "0.1.0".
extern const char* const version;

// The instructions that the engine was compiled for: a level of x86-64 ("x86-64-v3"), or this machine's ("native:
// AVX2").
const char* instructions();

}  // namespace sinew
