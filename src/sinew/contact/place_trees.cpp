#include "sinew/contact/place_trees.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/core/parallel_tree.h"
#include "sinew/core/sort_unique.h"

namespace sinew {
namespace {

constexpr std::size_t kQueryBatch = 256;  // queries

}  // namespace

// Box of a primitive's places, in single precision relative to the owner's first vertex.
template <int K>
FloatBox PlaceTrees::box(const std::array<Index, K>& vertices, const Points& places) const {
  Vec3 low = places.col(vertices[0]), high = low;
  for (int k = 1; k < K; ++k) {
    low = low.cwiseMin(places.col(vertices[k]));
    high = high.cwiseMax(places.col(vertices[k]));
  }
  FloatBox box;
  for (int c = 0; c < 3; ++c) {
    box.low[c] = float_below(low[c] - origin_[c]);
    box.high[c] = float_above(high[c] - origin_[c]);
  }
  return box;
}

// Sorts the primitives into a tree, keeps their vertices in the order of the tree, and lists for each vertex of the
// owner the primitives that have it (compressed rows `begin`, `uses`). O(n).
template <int K>
void PlaceTrees::build_tree(Tree<K>& tree, std::size_t owned, std::span<const Index> local, const Points& places) {
  const std::size_t n = tree.vertices.size();
  tree.boxes.resize(n);
  parallel_for(
      n, [&](std::size_t i) { tree.boxes[i] = box<K>(tree.vertices[i], places); }, 4096);
  tree.bvh.build(tree.boxes);
  tree.sorted_vertices.resize(n);
  tree.sorted_primitives.resize(n);
  tree.position.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Index entry = tree.bvh.order()[i];
    tree.sorted_vertices[i] = tree.vertices[entry];
    tree.sorted_primitives[i] = tree.primitives[entry];
    tree.position[entry] = static_cast<Index>(i);
  }
  // The leaves that have each vertex, by counting sort.
  tree.begin.assign(owned + 1, 0);
  for (const auto& vertices : tree.vertices)
    for (const Index v : vertices) ++tree.begin[local[v] + 1];
  for (std::size_t v = 0; v < owned; ++v) tree.begin[v + 1] += tree.begin[v];
  tree.uses.resize(tree.begin.back());
  std::vector<Index> next(tree.begin.begin(), tree.begin.end() - 1);
  for (std::size_t i = 0; i < n; ++i)
    for (const Index v : tree.vertices[i]) tree.uses[next[local[v]]++] = static_cast<Index>(i);
  tree.moved.assign(n, 0);
  tree.moved_positions.clear();
}

void PlaceTrees::build(const CollisionMesh& mesh, const OwnedPrimitives& owned, std::span<const Index> local,
                       const Points& places) {
  clear();
  mesh_ = &mesh;
  points_.primitives = owned.vertices;
  for (const Index v : owned.ids) points_.vertices.push_back({v});
  edges_.primitives = owned.edges;
  for (const Index e : owned.edges) edges_.vertices.push_back({mesh.edges(0, e), mesh.edges(1, e)});
  triangles_.primitives = owned.triangles;
  for (const Index t : owned.triangles)
    triangles_.vertices.push_back({mesh.triangles(0, t), mesh.triangles(1, t), mesh.triangles(2, t)});
  if (owned.ids.empty()) return;
  origin_ = places.col(owned.ids[0]);
  const std::size_t n = owned.ids.size();
  parallel_invoke([&] { build_tree(edges_, n, local, places); }, [&] { build_tree(triangles_, n, local, places); },
                  [&] { build_tree(points_, n, local, places); });
}

// Boxes of the primitives around some vertices, in the tree's order so that each node is refitted once: O(changed log
// n).
template <int K>
void PlaceTrees::move_in(Tree<K>& tree, std::span<const Index> local, const Points& places,
                         std::span<const Index> vertices) {
  std::vector<Index> changed;  // entries, then positions
  for (const Index v : vertices)
    for (Index u = tree.begin[local[v]]; u < tree.begin[local[v] + 1]; ++u) changed.push_back(tree.uses[u]);
  sort_unique(changed);
  for (Index& entry : changed) {
    tree.boxes[entry] = box<K>(tree.vertices[entry], places);
    entry = tree.position[entry];
  }
  std::sort(changed.begin(), changed.end());
  tree.bvh.refit(tree.boxes, changed);
}

void PlaceTrees::move(std::span<const Index> local, const Points& places, std::span<const Index> vertices) {
  parallel_invoke([&] { move_in(edges_, local, places, vertices); },
                  [&] { move_in(triangles_, local, places, vertices); },
                  [&] { move_in(points_, local, places, vertices); });
}

// Lists the positions in the tree, ascending, of the primitives that have one of these vertices.
template <int K>
void PlaceTrees::mark(Tree<K>& tree, std::span<const Index> local, std::span<const Index> vertices) {
  for (const Index position : tree.moved_positions) tree.moved[position] = 0;
  tree.moved_positions.clear();
  for (const Index v : vertices) {
    for (Index u = tree.begin[local[v]]; u < tree.begin[local[v] + 1]; ++u) {
      const Index position = tree.position[tree.uses[u]];
      if (tree.moved[position]) continue;
      tree.moved[position] = 1;
      tree.moved_positions.push_back(position);
    }
  }
  std::sort(tree.moved_positions.begin(), tree.moved_positions.end());
}

// Queries are moved points against all triangles, moved triangles against all points, and moved edges against all
// edges.
void PlaceTrees::set_moved(std::span<const Index> local, std::span<const Index> vertices) {
  parallel_invoke([&] { mark(edges_, local, vertices); }, [&] { mark(triangles_, local, vertices); },
                  [&] { mark(points_, local, vertices); });
  batches_.clear();
  const auto add = [&](PairKind kind, bool reversed, std::size_t queries) {
    for (std::size_t begin = 0; begin < queries; begin += kQueryBatch)
      batches_.push_back({kind, reversed, begin, std::min(queries, begin + kQueryBatch)});
  };
  add(PairKind::vertex_face, false, points_.moved_positions.size());
  add(PairKind::vertex_face, true, triangles_.moved_positions.size());
  add(PairKind::edge_edge, false, edges_.moved_positions.size());
}

}  // namespace sinew
