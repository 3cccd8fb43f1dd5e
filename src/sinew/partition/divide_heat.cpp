#include "sinew/partition/clusters.h"
#include "sinew/partition/heat_distances.h"
#include "sinew/partition/kmeans.h"
#include "sinew/partition/methods.h"

namespace sinew {

// K-means with distances by heat diffusion (heat_distances.h), as in SMS, section 3.6.
std::vector<Index> divide_heat(const Component& component, Index clusters, const PartitionOptions& options) {
  HeatDistances distances(component);
  kmeans_centers(component, component.vertex_size, distances, kmeans_options(clusters, options));
  return nearest_sources(component, distances);
}

}  // namespace sinew
