// Orthonormal functions on a cluster, sampled at the barycentres of its tets: the integrands that a rule must
// reproduce.
//
// A function f is stored as the column f(X_e) s_e with s_e = sqrt(V_e / V), where V is the cluster's volume. The dot
// product of two columns is the mean of their product over the cluster. The column s is the constant 1, and norms are
// root mean squares over the cluster.
#pragma once

#include <span>

#include "sinew/core/types.h"
#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

struct ClusterSamples {
  std::span<const Index> tets;  // n tets of the domain
  VecX share;                   // n: s
  double volume = 0;            // V [m^3]
  MatX corners;                 // 3 x 4n: relative to the centroid, over the largest distance from it
  MatX points;                  // 3 x n: means of each tet's corners
};

ClusterSamples sample_cluster(const Domain& domain, std::span<const Index> tets);

struct FunctionLimits {
  double tolerance = 0;  // largest allowed root mean square of a function's residual
  Index most = 0;        // largest number of columns
};

// Returns orthonormal columns that span 1 and the products, up to `degree` (1 or 2), of phi_i, phi_i X, phi_i Y, phi_i
// Z of the handles on the cluster. Used for modal moment fitting, SMS, section 3.8.1. The first column is s.
MatX modal_functions(const ClusterSamples& samples, const Domain& domain, const HandleBasis& basis, int degree,
                     const FunctionLimits& limits);

// Returns orthonormal columns that span the polynomials up to `degree` >= 0.
MatX polynomial_functions(const ClusterSamples& samples, int degree, const FunctionLimits& limits);

}  // namespace sinew
