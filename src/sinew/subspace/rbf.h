// Handles with radial weights, for comparison with SMS. They depend neither on geometry nor on material.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// Makes a handle for each cluster with a free vertex. Its weight is Wendland's C2 kernel (1 - s)^4 (4 s + 1), s =
// distance from the cluster's centroid over twice its radius, normalised. Components do not mix. Rows of fixed vertices
// are zero.
HandleBasis rbf_basis(const Domain& domain, const Partition& partition);

}  // namespace sinew
