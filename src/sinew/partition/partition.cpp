#include "sinew/partition/partition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/partition/clusters.h"
#include "sinew/partition/domain.h"
#include "sinew/partition/methods.h"
#include "sinew/partition/natural_shares.h"

namespace sinew {
namespace {

// A row of the table of methods, or an InputError that names all.
DivideComponent find_method(const std::string& name) {
  for (const PartitionMethod& method : partition_method_table())
    if (name == method.name) return method.divide;
  fail_input(code::scene_value, "partition method '{}' is unknown; use one of {}", name,
             fmt::join(partition_methods(), ", "));
}

void check(const PartitionOptions& options) {
  const auto at_least = [](const char* name, double value, double least) {
    if (!(value >= least))
      fail_input(code::scene_value, "{} of the partition is {}; give {} or more", name, value, least);
  };
  if (!(options.interface_stiffness > 0) || !std::isfinite(options.interface_stiffness))
    fail_input(code::scene_value, "interface_stiffness of the partition is {}; give a positive number, such as 0.3",
               options.interface_stiffness);
  at_least("stiffness_exponent", options.stiffness_exponent, 0);
  if (options.prune_ratio != 0) at_least("prune_ratio", options.prune_ratio, 1);
  at_least("oversampling", options.oversampling, 1);
  at_least("max_iterations", options.max_iterations, 1);
}

std::span<const Index> tets_of(const ComponentTets& components, Index c) {
  return std::span(components.items).subspan(components.offsets[c], components.offsets[c + 1] - components.offsets[c]);
}

// The size by which handles are shared out over the components: half the share of the volume in the metric
// |dx| / sqrt(k^stiffness_exponent), k relative to the softest tet, in which soft bodies are large; half the share of
// the tets, since the work of the refinement after the subspace solve grows with the tets of a cluster.
std::vector<double> component_sizes(const Domain& domain, const ComponentTets& components, double stiffness_exponent) {
  const double softest = parallel_min(domain.tet_count(), std::numeric_limits<double>::infinity(),
                                      [&](std::size_t t) { return domain.young[t]; });
  std::vector<double> size(domain.component_count, 0.0);
  parallel_for(
      size.size(),
      [&](std::size_t c) {
        for (const Index t : tets_of(components, static_cast<Index>(c)))
          size[c] += domain.volume[t] * std::pow(domain.young[t] / softest, -1.5 * stiffness_exponent);
      },
      16);
  const double total = std::accumulate(size.begin(), size.end(), 0.0);
  for (std::size_t c = 0; c < size.size(); ++c) {
    const auto tets = static_cast<double>(tets_of(components, static_cast<Index>(c)).size());
    size[c] = 0.5 * size[c] / total + 0.5 * tets / domain.tet_count();
  }
  return size;
}

// The number of vertices of each component that are not fixed.
std::vector<Index> free_vertices(const Domain& domain, const ComponentTets& components) {
  std::vector<Index> free(domain.component_count, 0), seen(domain.vertex_count(), -1);
  for (Index c = 0; c < domain.component_count; ++c) {
    for (const Index t : tets_of(components, c)) {
      for (int i = 0; i < 4; ++i) {
        const Index v = domain.tets(i, t);
        if (!domain.fixed[v] && std::exchange(seen[v], c) != c) ++free[c];
      }
    }
  }
  return free;
}

// The number of clusters of each component: as many as asked for in all, or as the method finds natural
// (natural_shares.h).
std::vector<ComponentShare> component_shares(const Domain& domain, const ComponentTets& components,
                                             const PartitionOptions& options) {
  const std::vector<Index> free = free_vertices(domain, components);
  // A handle has the 12 coordinates of four vertices, so that more handles than a quarter of the vertices are
  // redundant.
  std::vector<Index> most(free.size());
  std::transform(free.begin(), free.end(), most.begin(), [](Index n) { return std::max<Index>(1, n / 4); });
  std::vector<Index> clusters;
  if (options.handles > 0) {
    clusters = share_handles(component_sizes(domain, components, options.stiffness_exponent), most, options.handles);
  } else {
    clusters = natural_shares(domain, components);
  }
  std::vector<ComponentShare> shares(free.size());
  for (std::size_t c = 0; c < shares.size(); ++c) shares[c] = {free[c], std::min(clusters[c], most[c]), most[c]};
  return shares;
}

}  // namespace

std::span<const PartitionMethod> partition_method_table() {
  static constexpr PartitionMethod table[] = {
      {"geodesic", divide_geodesic},
      {"heat", divide_heat},
      {"euclidean", divide_euclidean},
      {"metis", divide_metis},
  };
  return table;
}

std::vector<std::string> partition_methods() {
  std::vector<std::string> names;
  for (const PartitionMethod& method : partition_method_table()) names.emplace_back(method.name);
  return names;
}

// Greedy: each next cluster goes to the component with the largest size for each of its clusters. O(handles log
// components).
std::vector<Index> share_handles(const std::vector<double>& size, const std::vector<Index>& capacity, Index handles) {
  std::vector<Index> share(size.size(), 1);
  std::priority_queue<std::pair<double, Index>> next;
  for (std::size_t c = 0; c < size.size(); ++c)
    if (capacity[c] > 1) next.emplace(size[c], -static_cast<Index>(c));
  for (auto remaining = handles - static_cast<std::int64_t>(size.size()); remaining > 0 && !next.empty(); --remaining) {
    const Index c = -next.top().second;
    next.pop();
    if (++share[c] < capacity[c]) next.emplace(size[c] / share[c], -c);
  }
  return share;
}

std::vector<ComponentShare> component_shares(const Domain& domain, const PartitionOptions& options) {
  return component_shares(domain, component_tets(domain), options);
}

// Divides each component by the chosen method, in parallel, makes the labels connected clusters with centres, and
// numbers the clusters by component.
Partition make_partition(const Domain& domain, const PartitionOptions& options) {
  const DivideComponent divide = find_method(options.method);
  check(options);
  const ComponentTets components = component_tets(domain);
  const std::vector<ComponentShare> share = component_shares(domain, components, options);
  std::vector<Clusters> clusters(domain.component_count);
  Partition partition;
  partition.tet_cluster.resize(domain.tet_count());
  parallel_for(
      clusters.size(),
      [&](std::size_t c) {
        const Component component = make_component(domain, tets_of(components, static_cast<Index>(c)),
                                                   options.interface_stiffness, options.stiffness_exponent);
        std::vector<Index> label(component.tet_count(), 0);
        if (share[c].clusters > 1) label = divide(component, share[c].clusters, options);
        clusters[c] = make_clusters(component, std::move(label));
        for (Index& v : clusters[c].center) v = component.mesh.vertex[v];
      },
      1);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const std::span<const Index> tets = tets_of(components, static_cast<Index>(c));
    const Index first = partition.cluster_count();
    for (std::size_t t = 0; t < tets.size(); ++t) partition.tet_cluster[tets[t]] = first + clusters[c].label[t];
    partition.center.insert(partition.center.end(), clusters[c].center.begin(), clusters[c].center.end());
  }
  return partition;
}

}  // namespace sinew
