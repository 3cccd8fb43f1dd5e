// How many points of a rule each connected component of a domain gets.
#pragma once

#include <vector>

#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {

// As many as it has handles at least, the rest by volume; tets: of each component. points: at least the sum of the
// handles on the components, at most the number of tets (InputError).
std::vector<Index> share_points(const Domain& domain, const HandleBasis& basis, const IndexLists& tets, Index points);

}  // namespace sinew
