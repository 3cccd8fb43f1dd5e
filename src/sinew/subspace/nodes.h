// Nodes: groups of neighbouring vertices on which the functions of large clusters are solved, and the interpolation of
// node weights to vertices.
#pragma once

#include "sinew/subspace/cells.h"
#include "sinew/subspace/cluster_graph.h"
#include "sinew/subspace/weight_table.h"

namespace sinew {

// Smaller components have one node for each vertex: solving takes only seconds, and exact functions save some
// iterations of conjugate gradients. Components with smaller mean clusters have one node for each vertex, too, because
// their functions need enough nodes.
inline constexpr Index least_grouped_component = 100000;
inline constexpr Index least_grouped_cluster = 400;

struct Nodes {
  std::vector<Index> node;    // by vertex
  std::vector<Index> root;    // by node: its central vertex, ascending
  std::vector<char> fixed;    // by node
  std::vector<Index> center;  // by cluster: the node of its centre

  Index count() const { return static_cast<Index>(root.size()); }
  bool are_vertices() const { return root.size() == node.size(); }
};

// Makes a node for each vertex.
Nodes single_nodes(const Domain& domain, const Partition& partition);

// Groups each root vertex with some of its neighbours. A group is all fixed or all free, on the same cells, and at tets
// of similar largest stiffness. Roots are a maximal independent set within each such kind, about a sixth of the
// vertices. stiffness: by tet. Only components with at least least_component vertices are grouped.
Nodes group_vertices(const Domain& domain, const Partition& partition, const ClusterGraph& graph,
                     const std::vector<double>& stiffness, Index least_component);

// Returns the graph with nodes in place of vertices; without tet_local.
ClusterGraph graph_of_nodes(const ClusterGraph& graph, const Nodes& nodes);

// Interpolates node weights to vertices and smooths them over the edges by the stiffness-weighted Laplacian. Like node
// weights, they sum to one with the share of the fixed vertices. subdomain[i]: ascending cells of handle i, whose
// weights fade to zero on their internal boundary. extended: whether extend() set the weights of a node; there, a
// handle may reach every vertex of its cells.
WeightTable weights_of_vertices(const Domain& domain, const ClusterGraph& graph, const std::vector<double>& stiffness,
                                const Nodes& nodes, const std::vector<std::vector<Index>>& subdomain,
                                const std::vector<char>& extended, WeightTable table);

}  // namespace sinew
