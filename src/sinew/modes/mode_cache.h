// Caches modes in the user's cache folder as soon as they are computed, so that a training of cubature points need not
// compute them again after an interruption.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/archive.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/mode_kinds.h"

namespace sinew {

// Returns kind.make(), or its cached result for the same bodies at rest, prescribed coordinates and options. Systems
// with fewer than least_cached_tets tets or with solver.multilevel.cache false are not cached. Warns if more modes are
// requested than the kind has.
ModeSet kept_modes(const ModeKind& kind, const System& system, const std::vector<char>& fixed,
                   const ModeOptions& options);

// Returns linear_modes_by_body(), cached in the same way.
std::vector<BodyModes> kept_linear_modes_by_body(const System& system, const std::vector<char>& fixed, Index count);

// Returns the path of the cached modes; empty: they are not cached.
std::string kept_modes_path(const ModeKind& kind, const System& system, const std::vector<char>& fixed,
                            const ModeOptions& options);

// Adds to the hash the inputs of elastic forces other than positions: tets, and parameters of each material.
void add_elasticity(const System& system, ContentHash& hash);

}  // namespace sinew
