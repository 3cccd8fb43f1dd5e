// Orthonormal functions on a cluster, sampled at the barycentres of its tets: the integrands that a rule must
// reproduce.
//
// A function f is the column f(X_e) s_e with s_e = sqrt(V_e / V) and the cluster's volume V. The dot product of two
// columns is the mean of their product over the cluster; s is the constant 1. Norms are root mean squares over the
// cluster.
#pragma once

#include <span>

#include "sinew/core/types.h"
#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

struct ClusterSamples {
  std::span<const Index> tets;  // n of the domain
  VecX share;                   // n: s
  double volume = 0;            // V [m^3]
  MatX corners;                 // 3 x 4n: relative to the centroid, in units of the largest distance
  MatX points;                  // 3 x n: their means
};

ClusterSamples sample_cluster(const Domain& domain, std::span<const Index> tets);

struct FunctionLimits {
  double tolerance = 0;  // largest root mean square of a function's residual
  Index most = 0;        // most columns
};

// Returns orthonormal columns that span 1 and products of {phi_i, phi_i X, phi_i Y, phi_i Z} of the handles there, up
// to `degree` (1 or 2). Modal moment fitting, SMS, section 3.8.1. The first column is s.
MatX modal_functions(const ClusterSamples& samples, const Domain& domain, const HandleBasis& basis, int degree,
                     const FunctionLimits& limits);

// Returns orthonormal columns that span the polynomials of up to `degree` >= 0.
MatX polynomial_functions(const ClusterSamples& samples, int degree, const FunctionLimits& limits);

}  // namespace sinew
