// Handles with eigenmodes of the stiffness-weighted Laplacian for weights (Benchekroun et al. 2023), which know shape
// and material and have global support.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// `count` handles (or as many as there are free vertices) with modes L_w w = lambda M w, fixed vertices held at zero:
// first the lowest of each component, then the lowest of all others; scaled to a largest weight of 1. L_w weighs with
// Young's modulus, to which the weight in the elastic Hessian is proportional at one Poisson's ratio. Dense: n k
// values.
HandleBasis skinning_eigenmodes(const Domain& domain, Index count);

}  // namespace sinew
