// What a rule shall integrate over one cluster: functions at the barycentres of its tets, orthonormalised.
//
// A function f is a column of f(X_e) s_e, s_e = sqrt(V_e / V) for the volume V of the cluster: the product of two
// columns is their mean product over the cluster, s itself the constant 1. Sizes are root mean squares over the
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
  MatX corners;                 // 3 x 4n: of each tet, from the centroid in units of the largest distance
  MatX points;                  // 3 x n: their means
};

ClusterSamples sample_cluster(const Domain& domain, std::span<const Index> tets);

struct FunctionLimits {
  double tolerance = 0;  // root mean square of what the span may lack of a function
  Index most = 0;        // columns; a span that needs more is cut there
};

// Orthonormal columns that span 1 and the products of up to `degree` (1 or 2) of {phi_i, phi_i X, phi_i Y, phi_i Z}
// over the handles with support there (modal moment fitting, SMS, section 3.8.1); the first column is s.
MatX modal_functions(const ClusterSamples& samples, const Domain& domain, const HandleBasis& basis, int degree,
                     const FunctionLimits& limits);

// Orthonormal columns that span the polynomials of up to `degree` >= 0.
MatX polynomial_functions(const ClusterSamples& samples, int degree, const FunctionLimits& limits);

}  // namespace sinew
