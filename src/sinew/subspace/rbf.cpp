#include "sinew/subspace/rbf.h"

#include "sinew/core/parallel.h"
#include "sinew/subspace/cluster_graph.h"
#include "sinew/subspace/weight_table.h"

namespace sinew {
namespace {

constexpr double support = 2;  // in radii of the cluster: neighbours meet at a fifth of the height

// Wendland's C2 kernel (1 - s)^4 (4 s + 1) (Wendland 1995), zero from s = 1 on.
double kernel(double s) {
  if (s >= 1) return 0;
  const double t = 1 - s;
  return t * t * t * t * (4 * s + 1);
}

}  // namespace

// Radial functions about the centres of clusters with support in proportion to their radii, divided by their sum.
HandleBasis rbf_basis(const Domain& domain, const Partition& partition) {
  const std::vector<Index> component = cluster_components(domain, partition);
  const std::vector<Index> clusters = free_clusters(partition, domain.fixed);
  HandleBasis basis;
  set_cluster_frames(domain, partition, clusters, basis);

  const IndexLists vertices = component_vertices(domain);
  std::vector<SparseFunction> functions(clusters.size());
  parallel_for(
      clusters.size(),
      [&](std::size_t i) {
        for (Index v : vertices[component[clusters[i]]]) {
          const double value = kernel((domain.vertices.col(v) - basis.center[i]).norm() / (support * basis.radius[i]));
          if (value <= 0) continue;
          functions[i].nodes.push_back(v);
          functions[i].values.push_back(value);
        }
      },
      1);
  WeightTable table = normalised(functions, VecX::Zero(domain.vertex_count()), domain.fixed);
  basis.begin = std::move(table.begin);
  basis.handle = std::move(table.handle);
  basis.weight = std::move(table.weight);
  return basis;
}

}  // namespace sinew
