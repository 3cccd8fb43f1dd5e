// The sparse material-aware basis (SMS, sections 3.4 to 3.5.1): biharmonic weights of handles, clipped and normalised.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"
#include "sinew/subspace/nodes.h"

namespace sinew {

// Statistics of the construction.
struct SmsReport {
  std::vector<Index> handle_cluster;  // by handle
  Index shifted = 0;                  // subdomains that needed a shifted Laplacian
  Index unconverged = 0;              // subdomains whose iteration stopped early
  Index failed = 0;                   // subdomains whose function is the cluster's indicator
  // Vertices that no function reaches; they take the weights around them.
  Index extended = 0;
  std::int64_t iterations = 0;  // iterations of conjugate gradients, in all subdomains
  VecX dirichlet;               // n: share of the fixed vertices, 1 - sum of the weights
};

// Makes a handle for each cluster with a free vertex, in order. Its support is the cluster and its neighbours across
// faces; of very large neighbours, only the adjacent cells (subspace/cells.h). At every vertex the weights are >= 0 and
// sum to 1 - (share of the fixed vertices). Handles are independent tasks.
//
// If the domain marks fixed vertices as free, weights do not fade towards them (section 3.5.1), and displacements jump
// there (left of the paper's figure 9). grouped_from: components with at least this many vertices are solved on groups
// of vertices (subspace/nodes.h), because the work grows faster than the square of a cluster's vertices.
HandleBasis sms_basis(const Domain& domain, const Partition& partition, SmsReport* report = nullptr,
                      Index grouped_from = least_grouped_component);

}  // namespace sinew
