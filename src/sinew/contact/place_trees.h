// Bounding volume hierarchies of one owner's surface primitives over the places of its vertices. A place is a position
// in a frame that follows the owner. Few vertices leave their place from one configuration to the next, so only their
// boxes are refitted and only their surroundings are searched.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/contact/broad_phase.h"
#include "sinew/contact/bvh.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

// The primitives of one owner, as indices into CollisionMesh.
struct OwnedPrimitives {
  std::vector<Index> ids;       // ids of its surface vertices in the simulation
  std::vector<Index> vertices;  // indices of these in CollisionMesh::vertices
  std::vector<Index> edges, triangles;
};

class PlaceTrees {
 public:
  bool empty() const { return points_.vertices.empty(); }
  void clear() { *this = {}; }

  // Builds the trees. The mesh must outlive them. places: 3 x n_all [m]; only the columns of the owner's vertices are
  // read. local: by vertex id, its index in owned.ids.
  void build(const CollisionMesh& mesh, const OwnedPrimitives& owned, std::span<const Index> local,
             const Points& places);

  // Refits the boxes of the primitives with these vertices (ids), which have new places.
  void move(std::span<const Index> local, const Points& places, std::span<const Index> vertices);

  // Marks these vertices (ids) as moved. visit() then finds the pairs in which at least one primitive has a moved
  // vertex.
  void set_moved(std::span<const Index> local, std::span<const Index> vertices);

  // Slices of the search, of bounded size; they do not depend on the number of threads.
  std::size_t batch_count() const { return batches_.size(); }

  // Calls f(PrimitivePair) for pairs in which at least one primitive has a moved vertex, and the boxes are within
  // reach(vertices of that primitive). Each pair comes once if reach is the same for all primitives. Otherwise a pair
  // of two moved primitives comes once or twice.
  template <class Reach, class F>
  void visit(std::size_t batch, bool same_reach, Reach&& reach, F&& f) const;

 private:
  template <int K>
  struct Tree {
    std::vector<std::array<Index, K>> vertices;         // vertex ids of each primitive
    std::vector<Index> primitives;                      // indices in the collision mesh
    std::vector<std::array<Index, K>> sorted_vertices;  // by position in the tree
    std::vector<Index> sorted_primitives;
    std::vector<Index> position;     // by primitive: its position in the tree
    std::vector<Index> begin, uses;  // compressed rows: the primitives of each of the owner's vertices
    std::vector<char> moved;         // by position in the tree
    std::vector<Index> moved_positions;
    std::vector<FloatBox> boxes;  // by primitive
    Bvh bvh;
  };
  struct Batch {
    PairKind kind;
    bool reversed;  // vertex_face: triangles with a moved vertex are the queries, points the targets
    std::size_t begin, end;
  };

  template <int K>
  FloatBox box(const std::array<Index, K>& vertices, const Points& places) const;
  template <int K>
  void build_tree(Tree<K>& tree, std::size_t owned, std::span<const Index> local, const Points& places);
  template <int K>
  void move_in(Tree<K>& tree, std::span<const Index> local, const Points& places, std::span<const Index> vertices);
  template <int K>
  static void mark(Tree<K>& tree, std::span<const Index> local, std::span<const Index> vertices);

  const CollisionMesh* mesh_ = nullptr;
  Vec3 origin_ = Vec3::Zero();
  Tree<1> points_;
  Tree<2> edges_;
  Tree<3> triangles_;
  std::vector<Batch> batches_;
};

template <class Reach, class F>
void PlaceTrees::visit(std::size_t batch, bool same_reach, Reach&& reach, F&& f) const {
  const auto& [kind, reversed, begin, end] = batches_[batch];
  const auto search = [&](const auto& queries, const auto& targets, std::size_t first, std::size_t last, auto&& skip,
                          auto&& emit) {
    const Vec3 none = Vec3::Zero();
    for (std::size_t q = first; q < last; ++q) {
      const auto i = static_cast<std::size_t>(queries.moved_positions[q]);
      const FloatBox around = queries.bvh.box(i).shifted(none, none, reach(queries.sorted_vertices[i]));
      targets.bvh.query(around, 0, [&](std::size_t j) {
        if (skip(i, j) || mesh_->adjacent(queries.sorted_vertices[i], targets.sorted_vertices[j])) return;
        emit(queries.sorted_primitives[i], targets.sorted_primitives[j]);
      });
    }
  };
  const auto emit = [&](Index vertex, Index triangle) { f(PrimitivePair{PairKind::vertex_face, vertex, triangle}); };
  if (kind == PairKind::edge_edge) {
    const auto found_from_other = [&](std::size_t i, std::size_t j) {
      return j == i || (same_reach && j < i && edges_.moved[j]);
    };
    search(edges_, edges_, begin, end, found_from_other, [&](Index a, Index b) {
      f(PrimitivePair{PairKind::edge_edge, std::min(a, b), std::max(a, b)});
    });
  } else if (!reversed) {
    search(
        points_, triangles_, begin, end, [](std::size_t, std::size_t) { return false; }, emit);
  } else {
    search(
        triangles_, points_, begin, end,
        [&](std::size_t, std::size_t j) { return same_reach && points_.moved[j] != 0; },
        [&](Index triangle, Index vertex) { emit(vertex, triangle); });
  }
}

}  // namespace sinew
