// The folder that keeps results of preparations for later runs.
#pragma once

#include <string>

#include "sinew/core/types.h"

namespace sinew {

// Smaller meshes are not cached: reading their results takes as long as computing them.
inline constexpr Index least_cached_tets = 20000;

// $XDG_CACHE_HOME/sinew or ~/.cache/sinew, which need not exist yet; empty when neither is known.
std::string cache_folder();

}  // namespace sinew
