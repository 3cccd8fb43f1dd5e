// Linear inertia modes: a Krylov space of K^-1 M from one factorisation (EP, section 4.1; theory, section 9).
#pragma once

#include <vector>

#include "sinew/model/system.h"
#include "sinew/modes/mass_gram_schmidt.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/mode_count.h"
#include "sinew/modes/mode_set.h"
#include "sinew/modes/rest_body.h"

namespace sinew {

// U^(m) = K^-1 M U^(m-1), each order made orthogonal to those before, until there are `count` modes of each connected
// body; then those of the lowest quotients. Fewer where the Krylov spaces end before. U^(0) of a body that is held are
// its six rigid motions; of one that may still turn or slide what of these and of its linear and quadratic
// displacements is orthogonal in the mass to the motions allowed, which are not among the modes. values: Rayleigh
// quotients, ascending; vectors of unit norm in the mass. fixed: 3 dynamic_count
// flags. Throws InputError where more are asked for than coordinates move and bend, or as rest_bodies() does.
ModeSet inertia_modes(const System& system, const std::vector<char>& fixed, const ModeCount& count,
                      GramSchmidtOptions options = {});

// Those of one body; fewer where its Krylov space ends before. Values: Rayleigh quotients, not sorted.
BodyModes inertia_modes_of(RestBody& body, Index count, GramSchmidtOptions options = {});

}  // namespace sinew
