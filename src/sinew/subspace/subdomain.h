// Laplacian and mass of unions of clusters, summed from those of the clusters: overlapping subdomains are many times
// as large as the domain, and their elements are visited once.
#pragma once

#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/subspace/nodes.h"

namespace sinew {

// Laplacian and mass both carry the stiffness k: with the density k d(volume) for both, M^{-1} L u is the Laplacian of
// u itself on either side of an interface of materials, and L M^{-1} L measures k (Laplacian u)^2. With the plain
// volume in M, k times the Laplacian would be continuous across the interface: a function that bends a little between
// two centres in a stiff part would bend k times as much in the soft part beside it, and reach values of the order of
// k.
struct Subdomain {
  std::vector<Index> nodes;  // ascending
  SparseMatrix L;            // lower triangle of the stiffness-weighted Laplacian
  VecX mass;                 // lumped volume times stiffness

  Index local(Index node) const;  // its place; -1: not here
};

class ClusterOperators {
 public:
  // Of functions that are constant on each node; of clusters with a graph of vertices and one of nodes (nodes.h), of
  // which the latter must outlive this. stiffness: one a tet.
  ClusterOperators(const Domain& domain, const ClusterGraph& vertex_graph, const std::vector<double>& stiffness,
                   const Nodes& nodes, const ClusterGraph& graph);

  // The union of these clusters, ascending.
  Subdomain join(std::span<const Index> clusters) const;

 private:
  const ClusterGraph& graph_;
  std::vector<SparseMatrix> L_;  // of each cluster, in its own numbering, lower triangle
  std::vector<VecX> mass_;
};

// E / min E of each tet, at most `largest_stiffness_ratio`. Weights hardly change with larger ratios, with which the
// factorisation of the Laplacian would not be positive definite in double precision.
std::vector<double> relative_stiffness(const Domain& domain);
inline constexpr double largest_stiffness_ratio = 1e10;

}  // namespace sinew
