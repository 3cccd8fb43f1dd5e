// Where what was computed once is kept for the next time.
#pragma once

#include <string>

#include "sinew/core/types.h"

namespace sinew {

// What follows from meshes under this size is not kept: reading it takes as long as making it.
inline constexpr Index least_cached_tets = 20000;

// $XDG_CACHE_HOME/sinew or ~/.cache/sinew, which need not exist yet; empty when neither is known.
std::string cache_folder();

}  // namespace sinew
