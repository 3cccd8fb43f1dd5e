// Handles with eigenmodes of the stiffness-weighted Laplacian for weights (Benchekroun et al. 2023), which know shape
// and material and have global support.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// The weight of grad^T grad in the sum of the diagonal entries of a tet's elastic Hessian at rest, lambda + 4 mu [Pa];
// of models that have no stiffness there, that of their Young's modulus at Poisson's ratio 0. One a tet.
std::vector<double> spread_stiffness(const Domain& domain);

// `count` handles (or as many as there are free vertices) with modes L_w w = lambda M w, fixed vertices held at zero:
// first the lowest of each component, then the lowest of all others; scaled to a largest weight of 1. L_w weighs with
// spread_stiffness(), M is the lumped mass. Dense: n k weights. eigenvalues: those of the handles [1/s^2]. By
// linalg/lanczos.h: one factorisation of n rows, 4 to 8 solves a handle, n lanczos_columns(k) values at once; then n k
// values of the modes beside as many weights.
HandleBasis skinning_eigenmodes(const Domain& domain, Index count, std::vector<double>* eigenvalues = nullptr);

}  // namespace sinew
