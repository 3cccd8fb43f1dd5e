// What lies where in a partition: the tets and vertices of each cluster, the clusters around each vertex, and the
// clusters across faces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// Lists of indices, one after another.
struct IndexLists {
  std::vector<std::int64_t> begin;  // lists + 1
  std::vector<Index> items;

  std::span<const Index> operator[](std::size_t i) const {
    return {items.data() + begin[i], static_cast<std::size_t>(begin[i + 1] - begin[i])};
  }
};

// The positions of each key in [0, count) among `keys`, ascending.
IndexLists grouped(std::span<const Index> keys, Index count);

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

// Every cluster must hold a tet. O(m log of the faces at a vertex), parallel.
ClusterGraph cluster_graph(const Domain& domain, const Partition& partition);

// Puts the handles at these clusters: centre the volume centroid, radius the distance to the farthest vertex.
void set_cluster_frames(const Domain& domain, const Partition& partition, const ClusterGraph& graph,
                        std::span<const Index> clusters, HandleBasis& basis);

}  // namespace sinew
