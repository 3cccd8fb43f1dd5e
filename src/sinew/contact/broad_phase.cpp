#include "sinew/contact/broad_phase.h"

#include <algorithm>

#include "sinew/contact/broad_phase_sweep.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kBatch = 512;  // queries; a multiple of the tree's width
static_assert(kBatch % Bvh::kWidth == 0);

// Rounding of x + t (d - mean), relative to the sum of absolute values: 4 operations, with room.
constexpr double kRounding = 0x1p-50;

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

void BroadPhase::update_trees(bool sort) {
  sort = sort || !sorted_;
  parallel_for(
      3 * parts_.size(),
      [&](std::size_t i) {
        Part& part = parts_[i / 3];
        if (i % 3 == 0) update(part.points, sort);
        if (i % 3 == 1) update(part.edges, sort);
        if (i % 3 == 2) update(part.triangles, sort);
      },
      1);
  sorted_ = true;
  find_meetings();
}

void BroadPhase::set_positions(const Points& x, double radius) {
  from_ = to_ = 0;
  std::fill(mean_.begin(), mean_.end(), Vec3::Zero());
  const double margin = 0.5 * radius;
  vertex_boxes_.resize(x.cols());
  const Vec3 origin = mesh_.vertices.empty() ? Vec3(Vec3::Zero()) : Vec3(x.col(mesh_.vertices[0]));
  parallel_for(mesh_.vertices.size(), [&](std::size_t i) {
    const Index v = mesh_.vertices[i];
    const Vec3 p = x.col(v) - origin;
    for (int c = 0; c < 3; ++c) {
      // Half the radius on either side: boxes overlap where they are within the radius of each other.
      vertex_boxes_[v].low[c] = float_below(p[c] - margin);
      vertex_boxes_[v].high[c] = float_above(p[c] + margin);
    }
  });
  update_trees(true);
}

void BroadPhase::set_motion(const Points& x, const Points& d, double from, double to) {
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
    for (int c = 0; c < 3; ++c) {
      const double p = x(c, v) - origin[c], motion = d(c, v) - mean[c];
      const double rounding = kRounding * (std::abs(p) + to * (std::abs(d(c, v)) + std::abs(mean[c])));
      vertex_boxes_[v].low[c] = float_below(p + std::min(from * motion, to * motion) - rounding);
      vertex_boxes_[v].high[c] = float_above(p + std::max(from * motion, to * motion) + rounding);
    }
  });
  update_trees(false);
}

void BroadPhase::find_meetings() {
  meetings_.clear();
  batches_.clear();
  part_bounds_.resize(parts_.size());
  // For the sweep every owner is shown in the common frame, with what it moves there.
  std::vector<FloatBox> swept(parts_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    part_bounds_[p] = parts_[p].points.bvh.bounds();
    if (parts_[p].points.bvh.size() > 0) swept[p] = part_bounds_[p].shifted(from_ * mean_[p], to_ * mean_[p]);
  }
  for (const auto& [a, b] : overlapping_pairs(swept)) {
    if (!mesh_.owners_may_touch(a, b)) continue;
    if (parts_[a].kinematic && parts_[b].kinematic) continue;
    const Vec3 relative = a == b ? Vec3(Vec3::Zero()) : Vec3(mean_[a] - mean_[b]);
    const Vec3 first = from_ * relative, last = to_ * relative;
    if (!part_bounds_[a].shifted(first, last).overlaps(part_bounds_[b])) continue;
    const std::size_t m = meetings_.size();
    meetings_.push_back({a, b, first, last});
    add_batches(m, PairKind::vertex_face, false, parts_[a].points.bvh.size());
    if (a != b) add_batches(m, PairKind::vertex_face, true, parts_[b].points.bvh.size());
    add_batches(m, PairKind::edge_edge, false, parts_[a].edges.bvh.size());
  }
}

void BroadPhase::add_batches(std::size_t meeting, PairKind kind, bool reversed, std::size_t queries) {
  for (std::size_t begin = 0; begin < queries; begin += kBatch) {
    batches_.push_back({static_cast<std::uint32_t>(meeting), kind, reversed, begin, std::min(queries, begin + kBatch)});
  }
}

}  // namespace sinew
