#include "sinew/reduced/mass_clusters.h"

#include "sinew/core/parallel.h"
#include "sinew/partition/voxel_sample.h"

namespace sinew {

// Clusters of vertices about places spread evenly, each vertex at the nearest place: sum m f(x) over a mesh becomes a
// sum over a few hundred means.
std::vector<MassCluster> mass_clusters(const System& system, const std::vector<Substructure>& parts, Index wanted) {
  std::vector<MassCluster> clusters;
  for (Index p = 0; p < static_cast<Index>(parts.size()); ++p) {
    const Substructure& part = parts[p];
    Points places(3, part.vertex_count());
    for (Index v = 0; v < part.vertex_count(); ++v) places.col(v) = system.rest.col(part.vertices[v]);
    // Sums over clusters cost what a few hundred points cost, whatever the mesh.
    const std::vector<Index> chosen = voxel_sample(places, part.mass, wanted).chosen;
    std::vector<Index> nearest(part.vertex_count());
    parallel_for(
        nearest.size(),
        [&](std::size_t v) {
          double least = forever;
          for (std::size_t c = 0; c < chosen.size(); ++c) {
            const double square = (places.col(static_cast<Index>(v)) - places.col(chosen[c])).squaredNorm();
            if (!(square < least)) continue;
            least = square;
            nearest[v] = static_cast<Index>(c);
          }
        },
        256);
    const std::size_t first = clusters.size();
    clusters.resize(first + chosen.size());
    for (std::size_t c = first; c < clusters.size(); ++c) clusters[c].part = p;
    for (Index v = 0; v < part.vertex_count(); ++v)
      clusters[first + static_cast<std::size_t>(nearest[v])].vertices.emplace_back(part.vertices[v], part.mass[v]);
  }
  return clusters;
}

}  // namespace sinew
