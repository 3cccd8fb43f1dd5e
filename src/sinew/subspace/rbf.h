// Handles with radial weights, which know neither the shape nor the material: what SMS is compared with.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// One handle for each cluster with a free vertex; weights of Wendland's C2 kernel (1 - s)^4 (4 s + 1), s = distance
// from the cluster's centroid over twice its radius, normalised. Components do not mix; rows of fixed vertices are
// zero.
HandleBasis rbf_basis(const Domain& domain, const Partition& partition);

}  // namespace sinew
