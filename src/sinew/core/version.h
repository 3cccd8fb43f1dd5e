// The version of sinew.
#pragma once

namespace sinew {

// That of CMakeLists.txt, as "0.1.0".
extern const char* const version;

// What the engine that runs was compiled for: a level of x86-64 ("x86-64-v3"), or this machine ("native: AVX2").
const char* instructions();

}  // namespace sinew
