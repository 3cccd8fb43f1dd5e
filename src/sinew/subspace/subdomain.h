// Laplacian and mass of unions of clusters, as sums over clusters. Subdomains overlap and are together many times as
// large as the domain, yet each element is visited only once.
#pragma once

#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/subspace/nodes.h"

namespace sinew {

// Laplacian and mass are both weighted by the stiffness k. On either side of an interface of materials M^{-1} L u is
// then the Laplacian of u, and L M^{-1} L measures k (Laplacian u)^2. With plain volume in M, k times the Laplacian
// would be continuous across the interface. A function with a small curvature in a stiff part would have k times that
// curvature in the soft part, and values of order k.
struct Subdomain {
  std::vector<Index> nodes;  // ascending
  SparseMatrix L;            // lower triangle of the stiffness-weighted Laplacian
  VecX mass;                 // lumped volume times stiffness

  Index local(Index node) const;  // index of a node in this subdomain, or -1
};

class ClusterOperators {
 public:
  // Makes operators on functions that are constant on each node (nodes.h). The graph of nodes must outlive this.
  // stiffness: by tet.
  ClusterOperators(const Domain& domain, const ClusterGraph& vertex_graph, const std::vector<double>& stiffness,
                   const Nodes& nodes, const ClusterGraph& graph);

  // Joins these clusters, in ascending order, to a subdomain.
  Subdomain join(std::span<const Index> clusters) const;

 private:
  const ClusterGraph& graph_;
  std::vector<SparseMatrix> L_;  // by cluster, in its own numbering, lower triangle
  std::vector<VecX> mass_;
};

// Returns E / min E of each tet, at most `largest_stiffness_ratio`. Larger ratios hardly change weights, and the
// factorisation of the Laplacian would not be positive definite in double precision.
std::vector<double> relative_stiffness(const Domain& domain);
inline constexpr double largest_stiffness_ratio = 1e10;

}  // namespace sinew
