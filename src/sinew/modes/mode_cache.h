// Modes that are kept in the user's cache folder as soon as they are there: what goes on from them, as the training of
// cubature points, may be interrupted, and finds them again.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/archive.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/mode_kinds.h"

namespace sinew {

// kind.make(), or what it made before for the same bodies at rest, prescribed coordinates and options. Systems under
// least_cached_tets and those with solver.multilevel.cache false are not kept. Warns where somebody asked for more
// modes than the kind has.
ModeSet kept_modes(const ModeKind& kind, const System& system, const std::vector<char>& fixed,
                   const ModeOptions& options);

// linear_modes_by_body(), likewise.
std::vector<BodyModes> kept_linear_modes_by_body(const System& system, const std::vector<char>& fixed, Index count);

// Where kept_modes() keeps them; empty: nowhere.
std::string kept_modes_path(const ModeKind& kind, const System& system, const std::vector<char>& fixed,
                            const ModeOptions& options);

// What elastic forces follow from beside the places of vertices: the tets of each material and its parameters.
void add_elasticity(const System& system, ContentHash& hash);

}  // namespace sinew
