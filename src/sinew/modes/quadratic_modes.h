// Modes linear and quadratic in position, adjusted to prescribed vertices (theory, section 9).
#pragma once

#include <vector>

#include "sinew/model/system.h"
#include "sinew/modes/mode_count.h"
#include "sinew/modes/mode_set.h"

namespace sinew {

// Returns the `count` lowest modes, or all if there are fewer, from each body's linear and quadratic displacements p
// without rigid motions (24 for a free body). If vertices are prescribed, each p is replaced by the displacement u that
// is nearest in elastic energy and vanishes at these vertices: K u = K p. Modes are orthonormal in the mass and
// orthogonal in the stiffness. values: u^T K u [1/s^2], ascending. Throws InputError like inertia_modes().
ModeSet quadratic_modes(const System& system, const std::vector<char>& fixed, const ModeCount& count);

}  // namespace sinew
