// The adjacency of clusters: tets and vertices of each cluster, clusters around each vertex, and clusters across faces.
#pragma once

#include <span>
#include <vector>

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {

// Vertices of each component, ascending.
IndexLists component_vertices(const Domain& domain);

struct ClusterGraph {
  IndexLists tets;               // of each cluster, ascending
  IndexLists vertices;           // of each cluster, ascending
  Tets tet_local;                // 4 x m: index of each corner in its cluster's list of vertices
  IndexLists vertex_clusters;    // around each vertex, ascending
  IndexLists neighbours;         // clusters that share a face with each cluster, ascending
  std::vector<Index> component;  // of each cluster

  Index cluster_count() const { return static_cast<Index>(component.size()); }
};

// Builds the graph from labels in [0, clusters), all of which must occur. Parallel.
ClusterGraph cluster_graph(const Domain& domain, const std::vector<Index>& tet_cluster, Index clusters);

// The component of each cluster.
std::vector<Index> cluster_components(const Domain& domain, const Partition& partition);

// Clusters whose centre is free, ascending: the clusters that get a handle. fixed: one flag for each vertex.
std::vector<Index> free_clusters(const Partition& partition, const std::vector<char>& fixed);

// Sets centre (volume centroid) and radius (distance to the farthest vertex) of the handles of these clusters.
void set_cluster_frames(const Domain& domain, const Partition& partition, std::span<const Index> clusters,
                        HandleBasis& basis);

}  // namespace sinew
