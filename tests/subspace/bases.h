// Partitions for the tests of bases, and bases as dense matrices.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew::test {

// Connected clusters grown from `handles` well-spread tets of each component, in steps of tet to tet whose cost is
// divided by sqrt(E); centres: the vertex nearest to the volume centroid, a free one where there is any.
Partition grown_partition(const Domain& domain, Index handles);

// phi as n x k, dense.
MatX dense_weights(const HandleBasis& basis);

// U as 3 n x 12 k, dense.
MatX dense_basis(const HandleBasis& basis, const Points& rest);

}  // namespace sinew::test
