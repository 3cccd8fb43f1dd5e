// Handles with eigenmodes of the stiffness-weighted Laplacian as weights (Benchekroun et al. 2023). They depend on
// geometry and material, and have global support.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// Returns lambda + 4 mu [Pa] of each tet: the weight of grad^T grad in the sum of the diagonal entries of its elastic
// Hessian at rest. Models without stiffness at rest use their Young's modulus at Poisson's ratio 0.
std::vector<double> spread_stiffness(const Domain& domain);

// Makes `count` handles, at most one for each free vertex, with modes L_w w = lambda M w that vanish at fixed vertices.
// The lowest mode of each component comes first, then the lowest of all other modes. Each is scaled to a largest weight
// of 1. L_w has the weights of spread_stiffness(), M is the lumped mass. Dense: n k weights. eigenvalues: lambda of the
// handles [1/s^2]. Cost (linalg/lanczos.h): one factorisation of n rows, 4 to 8 solves for each handle, n
// lanczos_columns(k) values of memory, then n k values of modes and n k weights.
HandleBasis skinning_eigenmodes(const Domain& domain, Index count, std::vector<double>* eigenvalues = nullptr);

}  // namespace sinew
