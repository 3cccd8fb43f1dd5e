// The libFuzzer executable: SINEW_FUZZ_TARGET in the environment names the target, also for the processes that
// libFuzzer starts itself.
#include <cstdio>
#include <cstdlib>

#include "target.h"

namespace {

sinew::fuzz::Target chosen;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("SINEW_FUZZ_TARGET");
  chosen = sinew::fuzz::find_target(name ? name : "");
  if (chosen) return 0;
  std::fprintf(stderr, "SINEW_FUZZ_TARGET: found '%s', expected one of: %s\n", name ? name : "",
               sinew::fuzz::target_names().c_str());
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen({reinterpret_cast<const char*>(data), size});
  return 0;
}
