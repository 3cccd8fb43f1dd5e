// Cubature rules for the Hessian: for each cluster, tets and weights whose reduced stiffness at rest is close to the
// full stiffness in every direction of the handles.
//
// These rules are not in SMS: the moments of its section 3.8 integrate the basis, but the Hessian depends on gradients.
// Tets are drawn by leverage |Y_e|^2 (cluster_stiffness.h; Spielman & Srivastava 2011). NNLS then minimises the
// distance of the sum to I, with a small ridge towards the drawn weights.
#pragma once

#include <cstdint>

#include "sinew/cubature/cluster_rule.h"
#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

struct StiffnessFittingOptions {
  double density = 6;  // points for each cluster, in units of rank(T) / 6
  std::uint64_t seed = 1;
};

// Sets report.functions to rank(T) of each cluster, and report.residual to the largest |sum - I| / |I|. A cluster
// without handles gets one point. Weights do not sum to the volume: use them only for Hessians. No allocation grows
// with handles x tets; O(rank^2) flops for each tet.
Cubature stiffness_fitting(const Domain& domain, const Partition& partition, const HandleBasis& basis,
                           const StiffnessFittingOptions& options, FittingReport& report);

}  // namespace sinew
