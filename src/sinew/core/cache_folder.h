// The folder that keeps results of preparations for later runs.
#pragma once

#include <string>

#include "sinew/core/types.h"

namespace sinew {

// Results for smaller meshes are not cached, because reading takes as long as computing.
inline constexpr Index least_cached_tets = 20000;

// $XDG_CACHE_HOME/sinew or ~/.cache/sinew, which need not exist yet; empty if neither is known.
std::string cache_folder();

}  // namespace sinew
