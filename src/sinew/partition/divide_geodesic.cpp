#include "sinew/partition/clusters.h"
#include "sinew/partition/fast_marching.h"
#include "sinew/partition/kmeans.h"
#include "sinew/partition/methods.h"

namespace sinew {

// K-means with distances by fast marching (fast_marching.h); each tet joins its nearest centre.
std::vector<Index> divide_geodesic(const Component& component, Index clusters, const PartitionOptions& options) {
  FastMarching distances(component.mesh.vertices, component.mesh.tets, component.stiffness);
  kmeans_centers(component, component.vertex_size, distances, kmeans_options(clusters, options));
  return nearest_sources(component, distances);
}

}  // namespace sinew
