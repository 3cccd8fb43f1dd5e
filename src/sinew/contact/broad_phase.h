// Finds the pairs of surface primitives (vertex and triangle, edge and edge) whose boxes come near each other, at rest
// or during a motion.
//
// Each owner (body or obstacle) has its own trees. During a motion, each box of a primitive or group comes with a box
// of its displacements. Only relative motion brings two boxes together, so a body that flies or swings fast as a whole
// costs no more. Displacements are stored relative to the owner's mean, which avoids cancellation. Pairs are passed to
// the caller batch by batch and never stored.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "sinew/contact/bvh.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

enum class PairKind : std::uint8_t { vertex_face, edge_edge };

// The two primitives of a pair. vertex_face: an index into CollisionMesh::vertices, and a triangle. edge_edge: two
// edges, the smaller index first.
struct PrimitivePair {
  PairKind kind;
  Index first, second;
};

class BroadPhase {
 public:
  // The mesh must outlive this. A pair never appears if the primitives share a vertex, if their owners may not touch,
  // if a tie glues them, or if both are kinematic.
  explicit BroadPhase(const CollisionMesh& mesh);

  // Sets which ties hold, one flag for each; empty: all. From now on, pairs across the other ties appear.
  void set_glue(std::span<const char> held) { held_.assign(held.begin(), held.end()); }

  // Selects the pairs to search.
  struct Selection {
    std::span<const char> within = {};  // by owner: whether to search pairs within it; empty: all owners
    bool between = true;                // pairs of different owners
    // set_motion() leaves out pairs with less relative motion [m] than this: by owner for pairs within one (empty: 0),
    // and one value for pairs of different owners.
    std::span<const double> least_within = {};
    double least_between = 0;
  };

  // Sets the boxes at positions x (3 x n_all) [m]. visit() then finds pairs with gaps up to `radius` [m]. The gap is
  // the distance less CollisionMesh::offset(). Rebuilds the trees of owners whose pairs are all searched, and
  // occasionally those of others.
  void set_positions(const Points& x, double radius) { set_positions(x, radius, {}); }
  void set_positions(const Points& x, double radius, Selection selection);

  // Sets boxes that move along x + t d, from <= t <= to. visit() then finds every pair whose gap falls to ccd::kFreeGap
  // of its gap at t = 0. Existing trees keep their order.
  void set_motion(const Points& x, const Points& d, double from, double to) { set_motion(x, d, from, to, {}); }
  void set_motion(const Points& x, const Points& d, double from, double to, Selection selection);

  // A slice of the work, of bounded size. Slices and what each yields do not depend on the number of threads.
  struct Batch {
    std::uint32_t meeting;
    PairKind kind;
    bool reversed;  // vertex_face: vertices of the second owner against triangles of the first
    std::size_t begin, end;
  };
  const std::vector<Batch>& batches() const { return batches_; }
  std::pair<Index, Index> owners(const Batch& batch) const {
    return {meetings_[batch.meeting].a, meetings_[batch.meeting].b};
  }

  // Calls f(PrimitivePair) for all pairs of a batch whose boxes meet. Every pair of the mesh belongs to one batch.
  template <class F>
  void visit(const Batch& batch, F&& f) const;

 private:
  template <int K>
  struct Tree {
    Bvh bvh;
    std::vector<Index> primitives;                      // indices in the collision mesh
    std::vector<std::array<Index, K>> vertices;         // of each primitive, simulation ids
    std::vector<FloatBox> boxes, motion;                // by entry of `primitives`
    std::vector<std::array<Index, K>> sorted_vertices;  // by position in the tree
    std::vector<Index> sorted_primitives;
  };
  struct Part {
    bool kinematic = true;
    int refits = -1;  // refits since the tree was sorted; -1: never sorted
    Tree<1> points;
    Tree<2> edges;
    Tree<3> triangles;
  };
  // Two owners (or one twice) whose boxes come near each other.
  struct Meeting {
    Index a, b;
    Vec3 relative;  // mean displacement of owner a minus that of owner b [m]
    float least;    // pairs with less relative motion [m] are left out
  };

  double offset(Index vertex) const {
    return mesh_.owner_offset.empty() ? 0 : mesh_.owner_offset[mesh_.vertex_owner[vertex]];
  }
  SweptBox swept(const FloatBox& rest, const FloatBox& motion, const Vec3& relative, float least) const;
  template <int K>
  void update(Tree<K>& tree, bool sort);
  void update_trees(const Selection& selection);
  void find_meetings(const Selection& selection);
  void cut_batches();
  void add_batches(std::size_t meeting, PairKind kind, bool reversed, std::size_t queries);

  const CollisionMesh& mesh_;
  std::vector<char> held_;
  std::vector<Part> parts_;                             // by owner
  std::vector<FloatBox> vertex_boxes_, vertex_motion_;  // by vertex id
  std::vector<FloatBox> part_bounds_, part_motion_;
  std::vector<Vec3> mean_;  // by owner, displacement [m]
  std::vector<Meeting> meetings_;
  std::vector<Batch> batches_;
  bool moving_ = false;
  double from_ = 0, to_ = 0;  // the motion's interval
};

template <class F>
void BroadPhase::visit(const Batch& batch, F&& f) const {
  const Meeting& meeting = meetings_[batch.meeting];
  const Part& from = parts_[batch.reversed ? meeting.b : meeting.a];
  const Part& to = parts_[batch.reversed ? meeting.a : meeting.b];
  const Vec3 relative = batch.reversed ? Vec3(-meeting.relative) : meeting.relative;
  const bool self = meeting.a == meeting.b;

  // Searches `targets` for each query. box(position) and group_box(group) return the boxes of the queries.
  const auto search = [&](const auto& queries, const auto& targets, bool ordered, auto&& box, auto&& group_box,
                          auto&& emit) {
    constexpr std::size_t kGroup = Bvh::kWidth;
    std::vector<std::size_t> near;  // groups of targets near a group of queries; often none
    for (std::size_t group = batch.begin / kGroup; group * kGroup < batch.end; ++group) {
      near.clear();
      targets.bvh.query_groups(group_box(group), ordered ? group * kGroup + 1 : 0,
                               [&](std::size_t target) { near.push_back(target); });
      if (near.empty()) continue;
      const std::size_t end = std::min(batch.end, (group + 1) * kGroup);
      for (std::size_t i = group * kGroup; i < end; ++i) {
        const auto around = box(i);
        for (const std::size_t target : near) {
          const std::size_t least = ordered ? i + 1 : 0;
          if ((target + 1) * kGroup <= least) continue;
          targets.bvh.query_group(target, around, least, [&](std::size_t j) {
            if (self && mesh_.adjacent(queries.sorted_vertices[i], targets.sorted_vertices[j])) return;
            if (!self && mesh_.glued(queries.sorted_vertices[i], targets.sorted_vertices[j], held_)) return;
            emit(queries.sorted_primitives[i], targets.sorted_primitives[j]);
          });
        }
      }
    }
  };
  const auto search_either = [&](const auto& queries, const auto& targets, bool ordered, auto&& emit) {
    const Bvh& bvh = queries.bvh;
    if (moving_) {
      search(
          queries, targets, ordered,
          [&](std::size_t i) { return swept(bvh.box(i), bvh.group_motion(i, 0), relative, meeting.least); },
          [&](std::size_t g) { return swept(bvh.group_bounds(g, 1), bvh.group_motion(g, 1), relative, meeting.least); },
          emit);
    } else {
      search(
          queries, targets, ordered, [&](std::size_t i) { return bvh.box(i); },
          [&](std::size_t g) { return bvh.group_bounds(g, 1); }, emit);
    }
  };
  if (batch.kind == PairKind::vertex_face) {
    search_either(from.points, to.triangles, false, [&](Index vertex, Index triangle) {
      f(PrimitivePair{PairKind::vertex_face, vertex, triangle});
    });
  } else {
    search_either(from.edges, to.edges, self, [&](Index a, Index b) {
      f(PrimitivePair{PairKind::edge_edge, std::min(a, b), std::max(a, b)});
    });
  }
}

}  // namespace sinew
