// Reactions of methods in a subspace.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// In a subspace forces balance along its own motions alone: at vertices that are free a residual is left, which the
// constraints would have to carry if these vertices could only move with them. Each body's residual at free coordinates
// is moved to its fixed ones: force and moment stay, and of all forces that do so the smallest are taken (the
// pseudoinverse of the map from nodal forces to force and moment).
//
// x: positions [m]; residual: what is missing to balance at each vertex [N]; both 3 x dynamic_count or more. fixed:
// flags of 3 dynamic_count coordinates. Returns 3 x dynamic_count, zero at free coordinates.
Points subspace_reactions(const System& system, const Points& x, const Points& residual,
                          const std::vector<char>& fixed);

}  // namespace sinew
