// A hash that tells the bases of subspaces apart, for states that hold coordinates alone.
#pragma once

#include <string>

#include "sinew/reduced/reduced_basis.h"

namespace sinew {

// O(n): the hash of all numbers on which positions depend.
std::string identity_of(const ReducedBasis& basis);

}  // namespace sinew
