// An estimate of the work of a Cholesky factorisation that costs little beside it.
#pragma once

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Returns about the flops of a factorisation in nested-dissection order. The graph is coarsened to aggregates, whose
// factorisation is analysed. Flops of meshes of one shape grow as the square of the number of rows, because they grow
// as the cube of a separator. For thin shells, the estimate is too large. Linear in the entries.
double estimated_factor_flops(const BlockPattern& pattern);

}  // namespace sinew
