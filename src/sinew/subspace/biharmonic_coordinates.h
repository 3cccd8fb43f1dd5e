// Handles with biharmonic coordinates (Wang et al. 2015), for comparison with SMS. They depend on geometry but not on
// material, and have global support.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// Makes a handle for each cluster with a free vertex. Its weight is 1 at its centre, 0 at all other centres and at
// fixed vertices, and minimises the integral of the squared Laplacian. A component without fixed vertices and with four
// centres or more reproduces linear functions. Weights may be negative. Dense: n k values and the factorisation of a
// biharmonic operator, for some ten thousand vertices.
HandleBasis biharmonic_coordinates(const Domain& domain, const Partition& partition);

}  // namespace sinew
