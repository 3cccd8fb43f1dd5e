// Cubature rules from clusters of tets that deform alike, by k-means on skinning weights (SMFEM, section 5.2; Jacobson
// et al. 2012).
#pragma once

#include <cstdint>
#include <span>

#include "sinew/cubature/cubature.h"
#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

struct ClusterPointsOptions {
  Index points = 0;
  double power = 0;  // p: features are tet averages of phi_i / lambda_i^p
  int max_iterations = 50;
  std::uint64_t seed = 1;
};

// Makes one point for each cluster: the tet nearest to the centroid, weighted with the cluster's volume. Each connected
// component gets at least as many points as handles; the rest are distributed by volume. If handles do not distinguish
// a component's tets, these are clustered by position.
//
// eigenvalues: of the handles' modes (constant modes are no features); empty: all features count equally. points: at
// least the number of handles, at most the number of tets (InputError). O(points) flops for each tet and iteration.
// Deterministic.
Cubature cluster_points(const Domain& domain, const HandleBasis& basis, std::span<const double> eigenvalues,
                        const ClusterPointsOptions& options);

}  // namespace sinew
