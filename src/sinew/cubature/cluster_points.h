// Rules from clusters of tets that deform alike: k-means on skinning weights (SMFEM, section 5.2; Jacobson et al.
// 2012).
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

// One point a cluster: the tet nearest to the centroid, with the volume of the cluster for its weight. Each connected
// component has at least as many points as handles, the rest is shared out by volume. eigenvalues: of the handles'
// modes, whose constant ones are no features; empty: all weights count alike. A component whose handles tell none of
// its tets apart is clustered by place. points: at least the number of handles, at most that of tets (InputError).
// O(points) flops a tet and iteration. Deterministic.
Cubature cluster_points(const Domain& domain, const HandleBasis& basis, std::span<const double> eigenvalues,
                        const ClusterPointsOptions& options);

}  // namespace sinew
