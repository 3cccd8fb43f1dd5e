// Distributes the points of a rule over the connected components of a domain.
#pragma once

#include <vector>

#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {

// Gives each component at least as many points as handles, and distributes the rest by volume. tets: those of each
// component. points: at least the sum of the components' handles, at most the number of tets (InputError).
std::vector<Index> share_points(const Domain& domain, const HandleBasis& basis, const IndexLists& tets, Index points);

}  // namespace sinew
