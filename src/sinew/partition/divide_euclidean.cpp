#include "sinew/core/parallel.h"
#include "sinew/partition/clusters.h"
#include "sinew/partition/kmeans.h"
#include "sinew/partition/methods.h"

namespace sinew {
namespace {

// Straight-line distances, regardless of the shape between. O(n) for each source.
class StraightDistances final : public SourceDistances {
 public:
  explicit StraightDistances(const Points& vertices)
      : SourceDistances(static_cast<Index>(vertices.cols())), vertices_(vertices) {}

  void add_source(Index vertex, std::vector<Index>& changed) override {
    for (Index v = 0; v < vertices_.cols(); ++v)
      if (lower(v, vertex)) changed.push_back(v);
  }

  void set_sources(std::span<const Index> sources) override {
    parallel_for(
        vertices_.cols(),
        [&](std::size_t v) {
          distance_[v] = std::numeric_limits<double>::infinity();
          for (const Index source : sources) lower(static_cast<Index>(v), source);
        },
        256);
  }

 private:
  // Takes the source if it is nearer than those before.
  bool lower(Index v, Index source) {
    const double d = (vertices_.col(v) - vertices_.col(source)).norm();
    if (!(d < distance_[v])) return false;
    distance_[v] = d;
    origin_[v] = source;
    return true;
  }

  const Points& vertices_;
};

}  // namespace

// k-means with straight distances; each tet goes to the centre nearest to its barycentre.
std::vector<Index> divide_euclidean(const Component& component, Index clusters, const PartitionOptions& options) {
  StraightDistances distances(component.mesh.vertices);
  VecX size = component.vertex_volume;
  for (Index v = 0; v < size.size(); ++v)
    if (!component.free[v]) size[v] = 0;
  const std::vector<Index> centers = kmeans_centers(component, size, distances, kmeans_options(clusters, options));
  std::vector<Index> label(component.tet_count());
  parallel_for(
      label.size(),
      [&](std::size_t t) {
        const Vec3 barycentre = component.barycentre(static_cast<Index>(t));
        double best = std::numeric_limits<double>::infinity();
        for (const Index center : centers) {
          const double d = (component.mesh.vertices.col(center) - barycentre).squaredNorm();
          if (d >= best) continue;
          best = d;
          label[t] = center;
        }
      },
      256);
  return label;
}

}  // namespace sinew
