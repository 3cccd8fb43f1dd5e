// What lies where in a division into clusters: the tets and vertices of each cluster, the clusters around each vertex,
// and the clusters across faces.
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
  Tets tet_local;                // 4 x m: the place of each corner in its cluster's list of vertices
  IndexLists vertex_clusters;    // around each vertex, ascending
  IndexLists neighbours;         // clusters that share a face with each cluster, ascending
  std::vector<Index> component;  // of each cluster

  Index cluster_count() const { return static_cast<Index>(component.size()); }
};

// Of tets with labels in [0, clusters), all of which occur. Parallel.
ClusterGraph cluster_graph(const Domain& domain, const std::vector<Index>& tet_cluster, Index clusters);

// The component of each cluster.
std::vector<Index> cluster_components(const Domain& domain, const Partition& partition);

// Clusters whose centre is free, ascending: those that get a handle. fixed: one flag a vertex.
std::vector<Index> free_clusters(const Partition& partition, const std::vector<char>& fixed);

// Puts the handles at these clusters: centre the volume centroid, radius the distance to the farthest vertex.
void set_cluster_frames(const Domain& domain, const Partition& partition, std::span<const Index> clusters,
                        HandleBasis& basis);

}  // namespace sinew
