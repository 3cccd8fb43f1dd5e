#include "sinew/contact/contact_owners.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/contact/broad_phase_sweep.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew {

ContactOwners::ContactOwners(const CollisionMesh& mesh, const Embedding& embedding)
    : mesh_(mesh),
      owned_(mesh.owner_count),
      runs_(vertex_runs(mesh, embedding)),
      wholes_(mesh.owner_count),
      moving_(mesh.owner_count, 0),
      bounds_(mesh.owner_count) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Index v = mesh.vertices[i];
    OwnedPrimitives& owned = owned_[mesh.vertex_owner[v]];
    owned.ids.push_back(v);
    owned.vertices.push_back(static_cast<Index>(i));
    if (!mesh.kinematic(v)) moving_[mesh.vertex_owner[v]] = 1;
  }
  for (Index e = 0; e < mesh.edges.cols(); ++e) owned_[mesh.vertex_owner[mesh.edges(0, e)]].edges.push_back(e);
  for (Index t = 0; t < mesh.triangles.cols(); ++t)
    owned_[mesh.vertex_owner[mesh.triangles(0, t)]].triangles.push_back(t);
  find_wholes();
}

// Of the runs of one owner, which lie next to each other where they follow.
void ContactOwners::find_wholes() {
  const auto owner = [&](const VertexRun& run) { return mesh_.vertex_owner[mesh_.vertices[run.begin]]; };
  for (std::size_t first = 0, last = 0; first < runs_.size(); first = last) {
    while (last < runs_.size() && owner(runs_[last]) == owner(runs_[first])) ++last;
    const std::span<const VertexRun> parts(runs_.data() + first, last - first);
    const VertexRun all = joined(parts);
    const bool whole = all.follows() && all.end - all.begin == owned_[owner(runs_[first])].ids.size();
    if (whole) wholes_[owner(runs_[first])] = {all, parts};
  }
}

// The box relative to `origin`, grown by `margin`, rounded outwards to single precision.
FloatBox ContactOwners::Bounds::box(const Vec3& origin, double margin) const {
  FloatBox box;
  if (!(low[0] <= high[0])) return box;
  for (int c = 0; c < 3; ++c) {
    box.low[c] = float_below(low[c] - origin[c] - margin);
    box.high[c] = float_above(high[c] - origin[c] + margin);
  }
  return box;
}

bool ContactOwners::is_finite(const VertexRun& run, const Points& x) const {
  const auto at = [&](Index v) { return x.col(v).allFinite(); };
  if (run.follows()) return std::ranges::all_of(run.followed, at);
  const auto first = mesh_.vertices.begin();
  return std::all_of(first + run.begin, first + run.end, at);
}

bool ContactOwners::finite(const Points& x) const {
  return std::ranges::all_of(runs_, [&](const VertexRun& run) { return is_finite(run, x); });
}

void ContactOwners::check_finite(const Points& x) const {
  for (const VertexRun& run : runs_) {
    if (is_finite(run, x)) continue;
    for (std::size_t i = run.begin; i < run.end; ++i) {
      const Index v = mesh_.vertices[i];
      if (!run.follows() && x.col(v).allFinite()) continue;
      throw SimulationError(code::not_finite,
                            fmt::format("the position of surface vertex {} of '{}' is not finite", v,
                                        mesh_.owner_names.empty() ? "" : mesh_.owner_names[mesh_.vertex_owner[v]]));
    }
  }
}

// Bounds of an owner at x, and at x + d if there is a direction.
ContactOwners::Bounds ContactOwners::bounds_of(std::size_t owner, const Points& x, const Points* d) const {
  Bounds bounds;
  const auto add = [&](const Vec3& low, const Vec3& high) {
    bounds.low = bounds.low.cwiseMin(low);
    bounds.high = bounds.high.cwiseMax(high);
  };
  const auto& [all, parts] = wholes_[owner];
  if (!all.follows()) {
    for (const Index v : owned_[owner].ids) {
      add(x.col(v), x.col(v));
      if (d) add(x.col(v) + d->col(v), x.col(v) + d->col(v));
    }
    return bounds;
  }
  const AffineMap now(x, all.followed), end = d ? now + AffineMap(*d, all.followed) : now;
  for (const VertexRun& run : parts) {
    Vec3 low, high;
    run.bounds(now, low, high);
    add(low, high);
    if (!d) continue;
    run.bounds(end, low, high);
    add(low, high);
  }
  return bounds;
}

// The mean motion and a bound of the largest difference from it.
MeanMotion ContactOwners::motion(std::size_t owner, const Points& from, const Points& to) const {
  const VertexRun& all = wholes_[owner].all;
  if (!all.follows()) return mean_motion(owned_[owner].ids, from, to);
  return all.motion(AffineMap(to, all.followed) - AffineMap(from, all.followed));
}

MeanMotion ContactOwners::motion(std::size_t owner, const Points& d) const {
  const VertexRun& all = wholes_[owner].all;
  return all.follows() ? all.motion(AffineMap(d, all.followed)) : mean_motion(owned_[owner].ids, d);
}

// Rounding is a multiple of that of the largest coordinate.
double ContactOwners::measure(const Points& x, const Points* d) {
  origin_ = mesh_.vertices.empty() ? Vec3(Vec3::Zero()) : Vec3(x.col(mesh_.vertices[0]));
  parallel_for(
      owned_.size(), [&](std::size_t o) { bounds_[o] = bounds_of(o, x, d); }, 1);
  double reach = 0;
  for (const Bounds& b : bounds_)
    if (b.low[0] <= b.high[0]) reach = std::max({reach, b.low.cwiseAbs().maxCoeff(), b.high.cwiseAbs().maxCoeff()});
  return 64 * std::numeric_limits<double>::epsilon() * reach;
}

// In single precision, rounded outwards.
std::vector<std::pair<Index, Index>> ContactOwners::meetings(double margin, std::span<const double> own) const {
  std::vector<std::pair<Index, Index>> result;
  if (owned_.size() < 2) return result;
  std::vector<FloatBox> boxes(owned_.size());
  for (std::size_t o = 0; o < boxes.size(); ++o) {
    const double offset = mesh_.owner_offset.empty() ? 0 : mesh_.owner_offset[o];
    boxes[o] = bounds_[o].box(origin_, margin + offset + (own.empty() ? 0 : own[o]));
  }
  for (const auto& [a, b] : overlapping_pairs(boxes))
    if (a != b && mesh_.owners_may_touch(a, b) && (moving_[a] || moving_[b])) result.emplace_back(a, b);
  return result;
}

}  // namespace sinew
