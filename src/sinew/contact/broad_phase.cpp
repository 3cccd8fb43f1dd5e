#include "sinew/contact/broad_phase.h"

#include <algorithm>

#include "sinew/contact/accd.h"
#include "sinew/contact/broad_phase_sweep.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kBatch = 512;  // queries; a multiple of the tree's width
static_assert(kBatch % Bvh::kWidth == 0);

// Rounding of x + t (d - mean), relative to the sum of absolute values: 4 operations, with room.
constexpr double kRounding = 0x1p-50;

constexpr int kMostRefits = 16;  // of a tree before it is worth sorting

// A pair whose distance falls from g to kFreeGap g has moved by at least (1 - kFreeGap) g: it is this share of the
// motion apart then.
constexpr double kGap = ccd::kFreeGap / (1 - ccd::kFreeGap) * (1 + 1e-6);

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

template <int K>
void BroadPhase::update(Tree<K>& tree, bool sort) {
  tree.boxes.resize(tree.primitives.size());
  parallel_for(
      tree.boxes.size(),
      [&](std::size_t i) {
        FloatBox box = vertex_boxes_[tree.vertices[i][0]];
        for (int k = 1; k < K; ++k) box.add(vertex_boxes_[tree.vertices[i][k]]);
        tree.boxes[i] = box;
      },
      4096);
  if (!sort) return tree.bvh.refit(tree.boxes);
  tree.bvh.build(tree.boxes);
  const std::span<const Index> order = tree.bvh.order();
  tree.sorted_vertices.resize(order.size());
  tree.sorted_primitives.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    tree.sorted_vertices[i] = tree.vertices[order[i]];
    tree.sorted_primitives[i] = tree.primitives[order[i]];
  }
}

// Only the trees of owners that meet something.
void BroadPhase::update_trees(bool resting, const Selection& selection) {
  part_bounds_.assign(parts_.size(), {});
  parallel_for(
      parts_.size(),
      [&](std::size_t p) {
        for (const auto& [v] : parts_[p].points.vertices) part_bounds_[p].add(vertex_boxes_[v]);
      },
      1);
  find_meetings(selection);
  std::vector<char> used(parts_.size(), 0);
  for (const Meeting& meeting : meetings_) used[meeting.a] = used[meeting.b] = 1;
  const auto sorted = [&](std::size_t p) {
    const bool all = selection.within.empty() || selection.within[p];
    return parts_[p].refits < 0 || (resting && (all || parts_[p].refits >= kMostRefits));
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

template <class Margin>
void BroadPhase::set_resting_boxes(const Points& x, Margin&& margin) {
  from_ = to_ = 0;
  std::fill(mean_.begin(), mean_.end(), Vec3::Zero());
  vertex_boxes_.resize(x.cols());
  const Vec3 origin = mesh_.vertices.empty() ? Vec3(Vec3::Zero()) : Vec3(x.col(mesh_.vertices[0]));
  parallel_for(mesh_.vertices.size(), [&](std::size_t i) {
    const Index v = mesh_.vertices[i];
    const Vec3 p = x.col(v) - origin;
    const double grown = margin(v);
    for (int c = 0; c < 3; ++c) {
      vertex_boxes_[v].low[c] = float_below(p[c] - grown);
      vertex_boxes_[v].high[c] = float_above(p[c] + grown);
    }
  });
}

// Half the radius on either side: boxes overlap where they are within the radius of each other.
void BroadPhase::set_positions(const Points& x, double radius, Selection selection) {
  set_resting_boxes(x, [&](Index) { return 0.5 * radius; });
  update_trees(true, selection);
}

void BroadPhase::set_margins(const Points& x, std::span<const double> margin, double share, Selection selection) {
  selection.between = false;
  set_resting_boxes(x, [&](Index v) { return share * margin[v]; });
  update_trees(false, selection);
}

void BroadPhase::set_motion(const Points& x, const Points& d, double from, double to, Selection selection) {
  from_ = from;
  to_ = to;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const auto& points = parts_[p].points.vertices;
    mean_[p].setZero();
    for (const auto& [v] : points) mean_[p] += d.col(v);
    if (!points.empty()) mean_[p] /= static_cast<double>(points.size());
  }
  vertex_boxes_.resize(x.cols());
  const Vec3 origin = mesh_.vertices.empty() ? Vec3(Vec3::Zero()) : Vec3(x.col(mesh_.vertices[0]));
  parallel_for(mesh_.vertices.size(), [&](std::size_t i) {
    const Index v = mesh_.vertices[i];
    const Vec3& mean = mean_[mesh_.vertex_owner[v]];
    const double margin = kGap * to * (d.col(v) - mean).norm();
    for (int c = 0; c < 3; ++c) {
      const double p = x(c, v) - origin[c], motion = d(c, v) - mean[c];
      const double rounding = kRounding * (std::abs(p) + to * (std::abs(d(c, v)) + std::abs(mean[c])));
      vertex_boxes_[v].low[c] = float_below(p + std::min(from * motion, to * motion) - margin - rounding);
      vertex_boxes_[v].high[c] = float_above(p + std::max(from * motion, to * motion) + margin + rounding);
    }
  });
  update_trees(false, selection);
}

void BroadPhase::find_meetings(const Selection& selection) {
  meetings_.clear();
  const auto add = [&](Index a, Index b) {
    if (!mesh_.owners_may_touch(a, b)) return;
    if (parts_[a].kinematic && parts_[b].kinematic) return;
    const Vec3 relative = a == b ? Vec3(Vec3::Zero()) : Vec3(mean_[a] - mean_[b]);
    const Vec3 first = from_ * relative, last = to_ * relative;
    const double margin = kGap * to_ * relative.norm();
    if (!part_bounds_[a].shifted(first, last, margin).overlaps(part_bounds_[b])) return;
    meetings_.push_back({a, b, first, last, margin});
  };
  const auto within = [&](Index a) {
    return !parts_[a].points.primitives.empty() && (selection.within.empty() || selection.within[a]);
  };
  if (!selection.between) {
    for (Index a = 0; a < mesh_.owner_count; ++a)
      if (within(a)) add(a, a);
    return;
  }
  // For the sweep every owner is shown in the common frame, with what it moves there.
  std::vector<FloatBox> swept(parts_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (parts_[p].points.primitives.empty()) continue;
    swept[p] = part_bounds_[p].shifted(from_ * mean_[p], to_ * mean_[p], kGap * to_ * mean_[p].norm());
  }
  for (const auto& [a, b] : overlapping_pairs(swept))
    if (a != b || within(a)) add(a, b);
}

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
