// Computes reaction forces of methods in a subspace.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// In a subspace, forces balance only along its motions, which leaves a residual at free vertices. Each body's residual
// at free coordinates is moved to its fixed coordinates. They get the smallest forces with the same total force and
// moment: the pseudoinverse of the map from nodal forces to force and moment.
//
// x: positions [m]. residual: unbalanced force at each vertex [N]. Both are 3 x dynamic_count or more. fixed: 3
// dynamic_count flags of fixed coordinates. Returns 3 x dynamic_count [N], zero at free coordinates.
Points subspace_reactions(const System& system, const Points& x, const Points& residual,
                          const std::vector<char>& fixed);

}  // namespace sinew
