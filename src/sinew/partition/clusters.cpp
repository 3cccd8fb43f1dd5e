#include "sinew/partition/clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"

namespace sinew {
namespace {

// Labels counted from 0 without gaps, in their order; returns their number.
Index compact(std::vector<Index>& label) {
  if (label.empty()) return 0;
  std::vector<Index> number(*std::max_element(label.begin(), label.end()) + 1, 0);
  for (const Index l : label) number[l] = 1;
  Index count = 0;
  for (Index& x : number) x = x ? count++ : -1;
  for (Index& l : label) l = number[l];
  return count;
}

// Tets of label -1 take the label of a neighbour, layer by layer from those that have one.
void grow(const Component& component, std::vector<Index>& label) {
  std::vector<Index> front, next;
  for (Index t = 0; t < component.tet_count(); ++t)
    if (label[t] >= 0) front.push_back(t);
  for (; !front.empty(); front.swap(next), next.clear()) {
    for (const Index t : front) {
      for (int i = 0; i < 4; ++i) {
        const Index r = component.neighbours(i, t);
        if (r < 0 || label[r] >= 0) continue;
        label[r] = label[t];
        next.push_back(r);
      }
    }
  }
}

// Keeps of each label the face-connected part of the largest volume.
void keep_largest_parts(const Component& component, std::vector<Index>& label, Index count) {
  const Index m = component.tet_count();
  // Depth-first search finds the parts and their volumes.
  std::vector<Index> part(m, -1), stack;
  std::vector<double> volume;
  std::vector<Index> largest(count, -1);
  for (Index t = 0; t < m; ++t) {
    if (part[t] >= 0) continue;
    const auto p = static_cast<Index>(volume.size());
    volume.push_back(0);
    part[t] = p;
    for (stack.assign(1, t); !stack.empty();) {
      const Index s = stack.back();
      stack.pop_back();
      volume[p] += component.volume[s];
      for (int i = 0; i < 4; ++i) {
        const Index r = component.neighbours(i, s);
        if (r < 0 || part[r] >= 0 || label[r] != label[s]) continue;
        part[r] = p;
        stack.push_back(r);
      }
    }
    Index& kept = largest[label[t]];
    if (kept < 0 || volume[p] > volume[kept]) kept = p;
  }
  for (Index t = 0; t < m; ++t)
    if (part[t] != largest[label[t]]) label[t] = -1;
}

// The distinct vertices of each cluster: items[offsets[c] .. offsets[c + 1]).
struct ClusterVertices {
  std::vector<Index> offsets, items;
};

// Sorts the pairs (cluster, corner) of all tets, O(tets log tets).
ClusterVertices cluster_vertices(const Component& component, const std::vector<Index>& label, Index count) {
  std::vector<Index> tets(count, 0);
  for (const Index l : label) ++tets[l];
  std::vector<std::vector<Index>> vertices(count);
  for (Index c = 0; c < count; ++c) vertices[c].reserve(4 * static_cast<std::size_t>(tets[c]));
  for (Index t = 0; t < component.tet_count(); ++t)
    for (int i = 0; i < 4; ++i) vertices[label[t]].push_back(component.mesh.tets(i, t));
  parallel_for(
      count, [&](std::size_t c) { sort_unique(vertices[c]); }, 4);
  ClusterVertices result;
  result.offsets.assign(1, 0);
  for (std::vector<Index>& own : vertices) {
    result.items.insert(result.items.end(), own.begin(), own.end());
    result.offsets.push_back(static_cast<Index>(result.items.size()));
    own = {};
  }
  return result;
}

// Volume centroids.
Points centroids(const Component& component, const std::vector<Index>& label, Index count) {
  Points sum = Points::Zero(3, count);
  VecX volume = VecX::Zero(count);
  for (Index t = 0; t < component.tet_count(); ++t) {
    sum.col(label[t]) += component.volume[t] * component.barycentre(t);
    volume[label[t]] += component.volume[t];
  }
  for (Index c = 0; c < count; ++c) sum.col(c) /= volume[c];
  return sum;
}

// A vertex of each cluster nearest to its centroid, free ones first, none twice; -1 where there is none left. Clusters
// of few vertices choose first.
std::vector<Index> choose_centers(const Component& component, const std::vector<Index>& label, Index count) {
  const ClusterVertices vertices = cluster_vertices(component, label, count);
  const Points centroid = centroids(component, label, count);
  std::vector<Index> order(count), center(count, -1);
  std::iota(order.begin(), order.end(), 0);
  const auto size = [&](Index c) { return vertices.offsets[c + 1] - vertices.offsets[c]; };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return size(a) < size(b); });
  std::vector<char> taken(component.vertex_count(), 0);
  for (const Index c : order) {
    const auto begin = vertices.items.begin() + vertices.offsets[c],
               end = vertices.items.begin() + vertices.offsets[c + 1];
    const bool any_free = std::any_of(begin, end, [&](Index v) { return component.free[v] != 0; });
    double best = std::numeric_limits<double>::infinity();
    for (auto v = begin; v != end; ++v) {
      if (taken[*v] || (any_free && !component.free[*v])) continue;
      const double d = (component.mesh.vertices.col(*v) - centroid.col(c)).squaredNorm();
      if (d >= best) continue;
      best = d;
      center[c] = *v;
    }
    if (center[c] >= 0) taken[center[c]] = 1;
  }
  return center;
}

}  // namespace

// The distance of a tet is the least over its vertices v of distance(v) + |X_v - barycentre| / sqrt(k).
std::vector<Index> nearest_sources(const Component& component, const SourceDistances& distances) {
  const Submesh& mesh = component.mesh;
  std::vector<Index> source(component.tet_count(), -1);
  for (Index t = 0; t < component.tet_count(); ++t) {
    const Vec3 barycentre = component.barycentre(t);
    const double slowness = 1 / std::sqrt(component.stiffness[t]);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 4; ++i) {
      const Index v = mesh.tets(i, t);
      const double d = distances.distance()[v] + slowness * (mesh.vertices.col(v) - barycentre).norm();
      if (d >= best && source[t] >= 0) continue;
      best = d;
      source[t] = distances.origin()[v];
    }
  }
  return source;
}

// Repeats until every cluster is connected and has a centre of its own: keep the largest part of each label, give the
// other tets to neighbours, choose centres, dissolve clusters without one.
Clusters make_clusters(const Component& component, std::vector<Index> label) {
  Clusters clusters;
  for (;;) {
    const Index count = compact(label);
    keep_largest_parts(component, label, count);
    grow(component, label);
    clusters.center = choose_centers(component, label, count);
    if (count == 1 || std::count(clusters.center.begin(), clusters.center.end(), -1) == 0) break;
    for (Index& l : label)
      if (clusters.center[l] < 0) l = -1;
    grow(component, label);
  }
  clusters.label = std::move(label);
  return clusters;
}

}  // namespace sinew
