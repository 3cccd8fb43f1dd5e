// Where what was computed once is kept for the next time.
#pragma once

#include <string>

namespace sinew {

// $XDG_CACHE_HOME/sinew or ~/.cache/sinew, which need not exist yet; empty when neither is known.
std::string cache_folder();

}  // namespace sinew
