#include "sinew/contact/broad_phase.h"

#include <algorithm>

#include "sinew/contact/accd.h"
#include "sinew/contact/broad_phase_sweep.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kBatch = 512;  // queries in a batch; a multiple of the tree's width
static_assert(kBatch % Bvh::kWidth == 0);

// Rounding of x + t (d - mean), relative to the sum of absolute values: 4 operations, with room.
constexpr double kRounding = 0x1p-50;

constexpr int kMostRefits = 16;  // of a tree before sorting it anew pays: its boxes grow as primitives move apart

// A pair whose gap falls from g to kFreeGap g has a relative motion m >= (1 - kFreeGap) g, so its gap is then at most
// kGap m with kGap = kFreeGap / (1 - kFreeGap): boxes grown by kGap m, and each by the offset of its owner, meet. The
// factor leaves room for the rounding of tests in single precision.
constexpr float kGap = static_cast<float>(ccd::kFreeGap / (1 - ccd::kFreeGap) * (1 + 1e-5));

constexpr double kLeast = 1 - 1e-5;  // lowers the least relative motion by the rounding of motions in single precision

}  // namespace

BroadPhase::BroadPhase(const CollisionMesh& mesh)
    : mesh_(mesh), parts_(mesh.owner_count), mean_(mesh.owner_count, Vec3::Zero()) {
  const auto owner = [&](Index vertex) -> Part& { return parts_[mesh.vertex_owner[vertex]]; };
  for (Index i = 0; i < static_cast<Index>(mesh.vertices.size()); ++i) {
    const Index v = mesh.vertices[i];
    owner(v).points.primitives.push_back(i);
    owner(v).points.vertices.push_back({v});
    if (!mesh.kinematic(v)) owner(v).kinematic = false;
  }
  for (Index i = 0; i < mesh.edges.cols(); ++i) {
    Tree<2>& tree = owner(mesh.edges(0, i)).edges;
    tree.primitives.push_back(i);
    tree.vertices.push_back({mesh.edges(0, i), mesh.edges(1, i)});
  }
  for (Index i = 0; i < mesh.triangles.cols(); ++i) {
    Tree<3>& tree = owner(mesh.triangles(0, i)).triangles;
    tree.primitives.push_back(i);
    tree.vertices.push_back({mesh.triangles(0, i), mesh.triangles(1, i), mesh.triangles(2, i)});
  }
}

// The box of something over the motion's interval, with its displacement relative to the owner that it is tested
// against: `relative` is the difference of the two owners' mean displacements.
SweptBox BroadPhase::swept(const FloatBox& rest, const FloatBox& motion, const Vec3& relative, float least) const {
  SweptBox box{rest, motion, float_below(from_), float_above(to_), kGap, least};
  if (from_ == 0) box.from = 0;
  if (!relative.isZero(0)) box.motion = motion.shifted(relative, relative);
  box.add_rounding();
  return box;
}

// Gives a tree the boxes of its primitives, each the union of its vertices' boxes, and their displacements during a
// motion. `sort` orders the tree along the Morton curve anew, O(n); otherwise the old order is kept and the boxes are
// refitted.
template <int K>
void BroadPhase::update(Tree<K>& tree, bool sort) {
  const auto make_boxes = [&](const std::vector<FloatBox>& of_vertices, std::vector<FloatBox>& boxes) {
    boxes.resize(tree.primitives.size());
    parallel_for(
        boxes.size(),
        [&](std::size_t i) {
          FloatBox box = of_vertices[tree.vertices[i][0]];
          for (int k = 1; k < K; ++k) box.add(of_vertices[tree.vertices[i][k]]);
          boxes[i] = box;
        },
        4096);
  };
  make_boxes(vertex_boxes_, tree.boxes);
  if (sort) {
    tree.bvh.build(tree.boxes);
  } else {
    tree.bvh.refit(tree.boxes);
  }
  if (moving_) {
    make_boxes(vertex_motion_, tree.motion);
    tree.bvh.set_motion(tree.motion);
  }
  // Vertices and primitives in the order of the leaves, so that visits read memory in sequence.
  if (!sort) return;
  const std::span<const Index> order = tree.bvh.order();
  tree.sorted_vertices.resize(order.size());
  tree.sorted_primitives.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    tree.sorted_vertices[i] = tree.vertices[order[i]];
    tree.sorted_primitives[i] = tree.primitives[order[i]];
  }
}

// Bounds of all owners, the pairs of owners that come near each other, and then the trees of those owners alone.
void BroadPhase::update_trees(const Selection& selection) {
  part_bounds_.assign(parts_.size(), {});
  part_motion_.assign(parts_.size(), {});
  parallel_for(
      parts_.size(),
      [&](std::size_t p) {
        for (const auto& [v] : parts_[p].points.vertices) {
          part_bounds_[p].add(vertex_boxes_[v]);
          if (moving_) part_motion_[p].add(vertex_motion_[v]);
        }
      },
      1);
  // Only owners with a partner nearby need trees.
  find_meetings(selection);
  std::vector<char> used(parts_.size(), 0);
  for (const Meeting& meeting : meetings_) used[meeting.a] = used[meeting.b] = 1;
  // Trees are sorted at their first use, and for positions where all pairs are searched or after many refits.
  const auto sorted = [&](std::size_t p) {
    const bool all = selection.within.empty() || selection.within[p];
    return parts_[p].refits < 0 || (!moving_ && (all || parts_[p].refits >= kMostRefits));
  };
  parallel_for(
      3 * parts_.size(),
      [&](std::size_t i) {
        const std::size_t p = i / 3;
        if (!used[p]) return;
        Part& part = parts_[p];
        if (i % 3 == 0) update(part.points, sorted(p));
        if (i % 3 == 1) update(part.edges, sorted(p));
        if (i % 3 == 2) update(part.triangles, sorted(p));
      },
      1);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Part& part = parts_[p];
    if (!used[p]) continue;
    part.refits = sorted(p) ? 0 : part.refits + 1;
  }
  cut_batches();
}

// Every vertex gets a box of half the radius to each side, so that two boxes overlap where they are within the radius
// of each other, and of its owner's offset. Positions are taken relative to one vertex, for the digits of single
// precision.
void BroadPhase::set_positions(const Points& x, double radius, Selection selection) {
  moving_ = false;
  vertex_boxes_.resize(x.cols());
  const Vec3 origin = mesh_.vertices.empty() ? Vec3(Vec3::Zero()) : Vec3(x.col(mesh_.vertices[0]));
  parallel_for(mesh_.vertices.size(), [&](std::size_t i) {
    const Index v = mesh_.vertices[i];
    const double margin = 0.5 * radius + offset(v);
    for (int c = 0; c < 3; ++c) {
      const double p = x(c, v) - origin[c];
      vertex_boxes_[v].low[c] = float_below(p - margin);
      vertex_boxes_[v].high[c] = float_above(p + margin);
    }
  });
  update_trees(selection);
}

// Every vertex gets the box of its position at t = 0, grown by the rounding of x + t d and by its owner's offset, and
// the box of its displacement
// less the mean one of its owner: what an owner's vertices share moves none of them nearer to another.
void BroadPhase::set_motion(const Points& x, const Points& d, double from, double to, Selection selection) {
  moving_ = true;
  from_ = from;
  to_ = to;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const auto& points = parts_[p].points.vertices;
    mean_[p].setZero();
    for (const auto& [v] : points) mean_[p] += d.col(v);
    if (!points.empty()) mean_[p] /= static_cast<double>(points.size());
  }
  vertex_boxes_.resize(x.cols());
  vertex_motion_.resize(x.cols());
  const Vec3 origin = mesh_.vertices.empty() ? Vec3(Vec3::Zero()) : Vec3(x.col(mesh_.vertices[0]));
  parallel_for(mesh_.vertices.size(), [&](std::size_t i) {
    const Index v = mesh_.vertices[i];
    const Vec3& mean = mean_[mesh_.vertex_owner[v]];
    const double around = offset(v);
    for (int c = 0; c < 3; ++c) {
      const double p = x(c, v) - origin[c], motion = d(c, v) - mean[c];
      const double rounding = kRounding * (std::abs(p) + to * (std::abs(d(c, v)) + std::abs(mean[c])));
      vertex_boxes_[v].low[c] = float_below(p - (rounding + around));
      vertex_boxes_[v].high[c] = float_above(p + (rounding + around));
      vertex_motion_[v].low[c] = float_below(motion);
      vertex_motion_[v].high[c] = float_above(motion);
    }
  });
  update_trees(selection);
}

// Finds the pairs of owners whose bounds meet: a sort and sweep over all owners by the space that each passes through,
// then the exact swept test of each pair that this leaves. An owner meets itself where its own pairs are wanted.
void BroadPhase::find_meetings(const Selection& selection) {
  meetings_.clear();
  const auto add = [&](Index a, Index b) {
    if (!mesh_.owners_may_touch(a, b)) return;
    if (parts_[a].kinematic && parts_[b].kinematic) return;
    Vec3 relative = Vec3::Zero();
    const double wanted = a != b                           ? selection.least_between
                          : selection.least_within.empty() ? 0
                                                           : selection.least_within[a];
    const float least = wanted > 0 ? float_below(kLeast * wanted) : 0;
    if (moving_ && a != b) {
      relative = mean_[a] - mean_[b];
      if (!swept(part_bounds_[a], part_motion_[a], relative, least).meets(part_bounds_[b], part_motion_[b])) return;
    }
    meetings_.push_back({a, b, relative, least});
  };
  const auto within = [&](Index a) {
    return !parts_[a].points.primitives.empty() && (selection.within.empty() || selection.within[a]);
  };
  if (!selection.between) {
    for (Index a = 0; a < mesh_.owner_count; ++a)
      if (within(a)) add(a, a);
    return;
  }
  // The space that an owner passes through in [from, to], grown by kGap times its own largest displacement: the
  // relative motion of two owners is at most the sum of theirs, so the sum of both margins covers kGap times it.
  std::vector<FloatBox> passed = part_bounds_;
  for (std::size_t p = 0; moving_ && p < parts_.size(); ++p) {
    if (parts_[p].points.primitives.empty()) continue;
    const FloatBox motion = part_motion_[p].shifted(mean_[p], mean_[p]);
    Vec3 first, last;
    double length2 = 0;
    for (int c = 0; c < 3; ++c) {
      first[c] = std::min(from_ * motion.low[c], to_ * motion.low[c]);
      last[c] = std::max(from_ * motion.high[c], to_ * motion.high[c]);
      const double most = std::max(std::abs(motion.low[c]), std::abs(motion.high[c]));
      length2 += most * most;
    }
    passed[p] = part_bounds_[p].shifted(first, last, kGap * to_ * std::sqrt(length2));
  }
  for (const auto& [a, b] : overlapping_pairs(passed))
    if (a != b || within(a)) add(a, b);
}

// The work of each meeting: vertices of a against triangles of b, of b against those of a, and edges against edges.
void BroadPhase::cut_batches() {
  batches_.clear();
  for (std::size_t m = 0; m < meetings_.size(); ++m) {
    const Part &a = parts_[meetings_[m].a], &b = parts_[meetings_[m].b];
    const bool self = meetings_[m].a == meetings_[m].b;
    add_batches(m, PairKind::vertex_face, false, a.points.primitives.size());
    if (!self) add_batches(m, PairKind::vertex_face, true, b.points.primitives.size());
    add_batches(m, PairKind::edge_edge, false, a.edges.primitives.size());
  }
}

void BroadPhase::add_batches(std::size_t meeting, PairKind kind, bool reversed, std::size_t queries) {
  for (std::size_t begin = 0; begin < queries; begin += kBatch) {
    batches_.push_back({static_cast<std::uint32_t>(meeting), kind, reversed, begin, std::min(queries, begin + kBatch)});
  }
}

}  // namespace sinew
