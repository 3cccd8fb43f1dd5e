// The sparse material-aware basis (SMS, sections 3.4 to 3.5.1): biharmonic weights of handles, clipped and normalised.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"
#include "sinew/subspace/nodes.h"

namespace sinew {

// What the construction met.
struct SmsReport {
  std::vector<Index> handle_cluster;  // of each handle
  Index shifted = 0;                  // subdomains whose Laplacian had to be shifted,
  Index unconverged = 0;              //   whose iteration stopped early,
  Index failed = 0;                   //   and those with the cluster's own indicator for a function
  Index extended = 0;           // vertices (nearly) out of reach of all functions, which take the weights around them
  std::int64_t iterations = 0;  // of conjugate gradients, over all subdomains
  VecX dirichlet;               // n: the share of the fixed vertices; 1 - the sum of the weights
};

// One handle for each cluster that has a free vertex, in their order. Support: the cluster and its neighbours across
// faces, of very large neighbours the cells next to it (subspace/cells.h). For every vertex the weights are >= 0 and
// sum to 1 - (share of the fixed vertices), which is 0 without any. Independent tasks for the handles. Where the domain
// calls fixed vertices free, the weights do not fade towards them (section 3.5.1): a displacement that leaves those out
// then jumps there, the left of the paper's figure 9.
// grouped_from: in components of so many vertices functions are solved for on groups of vertices (subspace/nodes.h), as
// the work on vertices grows with more than the square of a cluster's vertices.
HandleBasis sms_basis(const Domain& domain, const Partition& partition, SmsReport* report = nullptr,
                      Index grouped_from = least_grouped_component);

}  // namespace sinew
