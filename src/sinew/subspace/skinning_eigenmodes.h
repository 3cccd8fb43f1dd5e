// Handles with eigenmodes of the stiffness-weighted Laplacian for weights (Benchekroun et al. 2023), which know shape
// and material and have global support.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// L_w w = lambda M w for the `count` lowest lambda over all components, fixed vertices held at zero; each mode lives on
// one component and is scaled to a largest weight of 1. L_w weighs with Young's modulus, which at one Poisson's ratio
// is proportional to the elastic Hessian's own weight. Of components whose modes are not among the lowest there is no
// handle.
HandleBasis skinning_eigenmodes(const Domain& domain, Index count);

}  // namespace sinew
