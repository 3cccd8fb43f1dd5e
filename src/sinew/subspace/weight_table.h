// Normalises functions on subdomains to weights by vertex whose sum is one.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/subspace/cluster_graph.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// The positive values of a function, in ascending order of nodes.
struct SparseFunction {
  std::vector<Index> nodes;
  std::vector<double> values;
};

// Weights by node (a vertex or a group of vertices, subspace/nodes.h), with ascending handles, and the share of fixed
// vertices.
struct WeightTable {
  std::vector<std::int64_t> begin;  // n + 1 entries
  std::vector<Index> handle;
  std::vector<double> weight;
  VecX dirichlet;               // n
  std::vector<char> unreached;  // by node: free, and all functions (nearly) vanish
};

// Returns phi_i = u_i / (sum_j u_j + u_dirichlet) (SMS, eqs. 9 and 11). dirichlet: u_dirichlet >= 0, n values.
WeightTable normalised(const std::vector<SparseFunction>& functions, const VecX& dirichlet,
                       const std::vector<char>& fixed);

// Gives unreached nodes a stiffness-weighted harmonic mean of the weights around them, which keeps sums and signs.
// Returns the number of these nodes. subdomain[i]: ascending clusters that handle i may reach; a node outside takes
// handle i only if it has no other handle. node: by vertex of the domain. graph: graph of nodes.
Index extend(const Domain& domain, const std::vector<Index>& node, const ClusterGraph& graph,
             const std::vector<double>& stiffness, const std::vector<std::vector<Index>>& subdomain,
             WeightTable& table);

}  // namespace sinew
