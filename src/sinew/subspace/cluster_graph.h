// The adjacency of clusters: tets and vertices of each cluster, clusters around each vertex, and clusters across faces.
#pragma once

#include <span>
#include <vector>

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {

// Returns the vertices of each component, ascending.
IndexLists component_vertices(const Domain& domain);

struct ClusterGraph {
  IndexLists tets;               // by cluster, ascending
  IndexLists vertices;           // by cluster, ascending
  Tets tet_local;                // 4 x m: index of each corner in its cluster's list of vertices
  IndexLists vertex_clusters;    // by vertex: the clusters around it, ascending
  IndexLists neighbours;         // by cluster: the clusters that share a face with it, ascending
  std::vector<Index> component;  // by cluster

  Index cluster_count() const { return static_cast<Index>(component.size()); }
};

// Builds the graph from labels in [0, clusters), all of which must occur. Parallel.
ClusterGraph cluster_graph(const Domain& domain, const std::vector<Index>& tet_cluster, Index clusters);

// Returns the component of each cluster.
std::vector<Index> cluster_components(const Domain& domain, const Partition& partition);

// Returns the clusters whose centre is free, ascending: those that get a handle. fixed: a flag for each vertex.
std::vector<Index> free_clusters(const Partition& partition, const std::vector<char>& fixed);

// Sets centre (volume centroid) and radius (distance to the farthest vertex) of the handles of these clusters.
void set_cluster_frames(const Domain& domain, const Partition& partition, std::span<const Index> clusters,
                        HandleBasis& basis);

}  // namespace sinew
