#include "sinew/subspace/cluster_graph.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// Calls fill(i, list) for all i in parallel and concatenates the lists in the order of i.
template <class Fill>
IndexLists concatenated(std::size_t count, Fill&& fill) {
  std::vector<std::vector<Index>> lists(count);
  parallel_for(
      count, [&](std::size_t i) { fill(i, lists[i]); }, 8);
  IndexLists result;
  result.begin.assign(count + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    result.begin[i + 1] = result.begin[i] + static_cast<std::int64_t>(lists[i].size());
  }
  result.items.resize(static_cast<std::size_t>(result.begin[count]));
  parallel_for(
      count, [&](std::size_t i) { std::copy(lists[i].begin(), lists[i].end(), result.items.data() + result.begin[i]); },
      64);
  return result;
}

// The clusters that share a face with each cluster. Only tets with three vertices that belong to several clusters can
// have a face on another cluster, so faces are matched among these alone.
IndexLists face_neighbours(const Domain& domain, const std::vector<Index>& tet_cluster, const ClusterGraph& graph) {
  std::vector<Index> shared;
  for (Index t = 0; t < domain.tet_count(); ++t) {
    int corners = 0;
    for (int i = 0; i < 4; ++i) corners += graph.vertex_clusters[domain.tets(i, t)].size() > 1;
    if (corners >= 3) shared.push_back(t);
  }
  Tets tets(4, static_cast<Index>(shared.size()));
  for (std::size_t s = 0; s < shared.size(); ++s) tets.col(static_cast<Index>(s)) = domain.tets.col(shared[s]);
  const Tets across = tet_neighbours(tets);

  std::vector<std::vector<Index>> lists(graph.cluster_count());
  for (std::size_t s = 0; s < shared.size(); ++s) {
    const Index own = tet_cluster[shared[s]];
    for (int i = 0; i < 4; ++i) {
      const Index other = across(i, static_cast<Index>(s));
      if (other >= 0 && tet_cluster[shared[other]] != own) {
        lists[own].push_back(tet_cluster[shared[other]]);
      }
    }
  }
  return concatenated(lists.size(), [&](std::size_t c, std::vector<Index>& list) {
    list.swap(lists[c]);
    sort_unique(list);
  });
}

}  // namespace

// The distinct vertices of each component, ascending.
IndexLists component_vertices(const Domain& domain) {
  const IndexLists tets = grouped(domain.component, domain.component_count);
  return concatenated(domain.component_count, [&](std::size_t c, std::vector<Index>& list) {
    for (Index t : tets[c]) {
      const auto tet = domain.tets.col(t);
      list.insert(list.end(), tet.data(), tet.data() + 4);
    }
    sort_unique(list);
  });
}

// Tets and vertices of each cluster, local numbers of each tet's corners, clusters of each vertex, components, and
// neighbours across faces.
ClusterGraph cluster_graph(const Domain& domain, const std::vector<Index>& tet_cluster, Index clusters) {
  ClusterGraph graph;
  graph.tets = grouped(tet_cluster, clusters);
  graph.vertices = concatenated(clusters, [&](std::size_t c, std::vector<Index>& list) {
    for (Index t : graph.tets[c])
      list.insert(list.end(), {domain.tets(0, t), domain.tets(1, t), domain.tets(2, t), domain.tets(3, t)});
    sort_unique(list);
  });
  graph.tet_local.resize(4, domain.tet_count());
  parallel_for(domain.tet_count(), [&](std::size_t t) {
    const auto list = graph.vertices[tet_cluster[t]];
    for (int i = 0; i < 4; ++i) {
      graph.tet_local(i, t) =
          static_cast<Index>(std::lower_bound(list.begin(), list.end(), domain.tets(i, t)) - list.begin());
    }
  });
  // `grouped` lists by vertex the positions in graph.vertices; each position is turned into its cluster by binary
  // search.
  graph.vertex_clusters = grouped(graph.vertices.items, domain.vertex_count());
  parallel_for(graph.vertex_clusters.items.size(), [&](std::size_t k) {
    const auto& begin = graph.vertices.begin;
    const auto after = std::upper_bound(begin.begin(), begin.end(), std::int64_t{graph.vertex_clusters.items[k]});
    graph.vertex_clusters.items[k] = static_cast<Index>(after - begin.begin()) - 1;
  });
  graph.component.resize(clusters);
  for (Index c = 0; c < clusters; ++c) graph.component[c] = domain.component[graph.tets[c].front()];
  graph.neighbours = face_neighbours(domain, tet_cluster, graph);
  return graph;
}

// A cluster lies in one component: any of its tets tells which.
std::vector<Index> cluster_components(const Domain& domain, const Partition& partition) {
  std::vector<Index> component(partition.center.size(), 0);
  for (Index t = 0; t < domain.tet_count(); ++t) component[partition.tet_cluster[t]] = domain.component[t];
  return component;
}

std::vector<Index> free_clusters(const Partition& partition, const std::vector<char>& fixed) {
  std::vector<Index> clusters;
  for (Index c = 0; c < partition.cluster_count(); ++c) {
    if (!fixed[partition.center[c]]) clusters.push_back(c);
  }
  return clusters;
}

// Frames of handles: centre c = volume centroid of the cluster, radius r = distance of its farthest vertex. The affine
// part of a handle is then of the size of its constant part.
void set_cluster_frames(const Domain& domain, const Partition& partition, std::span<const Index> clusters,
                        HandleBasis& basis) {
  const IndexLists tets = grouped(partition.tet_cluster, partition.cluster_count());
  basis.center.resize(clusters.size());
  basis.radius.resize(clusters.size());
  parallel_for(
      clusters.size(),
      [&](std::size_t i) {
        const Vec3 origin = domain.vertices.col(partition.center[clusters[i]]);  // keeps the digits of far bodies
        double volume = 0, radius = 0;
        Vec3 moment = Vec3::Zero();
        for (Index t : tets[clusters[i]]) {
          for (int j = 0; j < 4; ++j) {
            moment += domain.volume[t] / 4 * (domain.vertices.col(domain.tets(j, t)) - origin);
          }
          volume += domain.volume[t];
        }
        const Vec3 center = origin + moment / volume;
        for (Index t : tets[clusters[i]]) {
          for (int j = 0; j < 4; ++j) {
            radius = std::max(radius, (domain.vertices.col(domain.tets(j, t)) - center).norm());
          }
        }
        basis.center[i] = center;
        basis.radius[i] = radius;
      },
      16);
}

}  // namespace sinew
