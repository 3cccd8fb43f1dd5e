// Displacements that are linear and quadratic in the place, as far as what is held lets them (theory, section 9).
#pragma once

#include <vector>

#include "sinew/model/system.h"
#include "sinew/modes/mode_count.h"
#include "sinew/modes/mode_set.h"

namespace sinew {

// Of each body the linear and quadratic displacements p without rigid motions, 24 in a body that is free. Where a body
// is held, each is replaced by the displacement u nearest to it in elastic energy that vanishes at prescribed
// coordinates, K u = K p. Orthonormal in the mass and orthogonal in the stiffness; values: u^T K u [1/s^2], ascending.
// The `count` lowest; fewer where there are fewer. Throws InputError as inertia_modes() does.
ModeSet quadratic_modes(const System& system, const std::vector<char>& fixed, const ModeCount& count);

}  // namespace sinew
