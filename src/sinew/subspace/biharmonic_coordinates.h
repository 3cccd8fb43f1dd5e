// Handles with biharmonic coordinates (Wang et al. 2015), which know the shape but not the material and have global
// support: what SMS is compared with.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// One handle for each cluster with a free vertex: 1 at its centre, 0 at all others and at fixed vertices, and of least
// (integral of) squared Laplacian. The energy does not see linear functions, so that, of a component without fixed
// vertices and with four centres or more, they are reproduced. Weights may be negative. Dense: n k values, and the
// factorisation of a biharmonic operator; for shapes of some ten thousand vertices.
HandleBasis biharmonic_coordinates(const Domain& domain, const Partition& partition);

}  // namespace sinew
