#include "sinew/core/version.h"

#include <string_view>

namespace sinew {

const char* const version = SINEW_VERSION;

const char* instructions() {
  constexpr std::string_view isa = SINEW_ISA;
  if constexpr (isa == "default") return "x86-64";
#if defined(__AVX512F__)
  return isa == "native" ? "native: AVX-512" : "x86-64-v4";
#elif defined(__AVX2__)
  return isa == "native" ? "native: AVX2" : "x86-64-v3";
#elif defined(__AVX__)
  return "native: AVX";
#else
  return isa == "native" ? "native: SSE" : "x86-64-v2";
#endif
}

}  // namespace sinew
