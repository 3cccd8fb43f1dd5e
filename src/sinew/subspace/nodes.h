// Nodes: groups of neighbouring vertices on which the functions of handles are solved for where clusters are large, and
// the way back from weights of nodes to weights of vertices.
#pragma once

#include "sinew/subspace/cells.h"
#include "sinew/subspace/cluster_graph.h"
#include "sinew/subspace/weight_table.h"

namespace sinew {

// Components with fewer vertices keep a node for each vertex: their functions are solved for in seconds, and conjugate
// gradients take some tenths fewer iterations with exact ones. So do those with smaller clusters in the mean: a cluster
// needs enough nodes for its function to have a shape.
inline constexpr Index least_grouped_component = 100000;
inline constexpr Index least_grouped_cluster = 400;

struct Nodes {
  std::vector<Index> node;    // n: of each vertex
  std::vector<Index> root;    // of each node: the vertex that it was made around, ascending
  std::vector<char> fixed;    // of each node
  std::vector<Index> center;  // of each cluster: the node of its centre

  Index count() const { return static_cast<Index>(root.size()); }
  bool are_vertices() const { return root.size() == node.size(); }
};

// A node for each vertex.
Nodes single_nodes(const Domain& domain, const Partition& partition);

// The vertices of a node are a root and some of its neighbours: all fixed or all free, on the same cells, at tets whose
// largest stiffnesses are alike. Roots are a maximal set of which no two of the same kind are neighbours, some six
// times fewer than the vertices. stiffness: one a tet; least_component: vertices of a component that is grouped.
Nodes group_vertices(const Domain& domain, const Partition& partition, const ClusterGraph& graph,
                     const std::vector<double>& stiffness, Index least_component);

// The graph with nodes in place of vertices; without tet_local.
ClusterGraph graph_of_nodes(const ClusterGraph& graph, const Nodes& nodes);

// Weights of vertices from those of their nodes, smoothed over the edges by the stiffness-weighted Laplacian. They sum
// to one with the share of the fixed vertices, as those of the nodes do. subdomain[i]: ascending cells of handle i,
// which fades to zero on their internal boundary; extended: of each node, whether extend() gave it its weights, where
// a handle may reach a vertex that has one of its cells.
WeightTable weights_of_vertices(const Domain& domain, const ClusterGraph& graph, const std::vector<double>& stiffness,
                                const Nodes& nodes, const std::vector<std::vector<Index>>& subdomain,
                                const std::vector<char>& extended, WeightTable table);

}  // namespace sinew
