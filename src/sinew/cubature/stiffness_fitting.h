// Rules for the Hessian itself: of each cluster some tets with weights, chosen so that the reduced stiffness at rest is
// close to the full one in every direction that the handles can move it.
//
// Beyond SMS: the moments of section 3.8 are of the basis, while the Hessian sees its gradients. Tets are drawn by
// their leverage |Y_e|^2 (cluster_stiffness.h; Spielman & Srivastava 2011); NNLS then brings the sum closest to I, held
// to the drawn weights by a small ridge.
#pragma once

#include <cstdint>

#include "sinew/cubature/cluster_rule.h"
#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

struct StiffnessFittingOptions {
  double density = 6;  // points of a cluster, in units of what its rank asks for: rank(T) / 6
  std::uint64_t seed = 1;
};

// report.functions: rank(T) of each cluster; report.residual: |sum - I| / |I|, the largest. A cluster without handles
// gets one point. The volume is not kept: for Hessians only. No allocation grows with handles x tets; O(rank^2) flops a
// tet.
Cubature stiffness_fitting(const Domain& domain, const Partition& partition, const HandleBasis& basis,
                           const StiffnessFittingOptions& options, FittingReport& report);

}  // namespace sinew
