#include "sinew/contact/candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/contact/broad_phase_sweep.h"
#include "sinew/contact/distance.h"
#include "sinew/contact/stencil_build.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kChunk = 512;  // candidates or vertices evaluated together
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Distances and motions are compared after rounding; this share of the radius is far more than they lose.
constexpr double kSafety = 1e-6;

// Whether a direction shows that all corner differences of two primitives lie beyond the radius along it.
bool beyond(double lowest, const Vec3& direction, double radius2) {
  return lowest > 0 && lowest * lowest > radius2 * direction.squaredNorm() * (1 + kSafety);
}

// Directions that show most distant pairs to be distant before a distance is needed: the triangle's normal, and the
// line between the middles.
bool point_beyond(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2, double radius2) {
  const Vec3 w0 = p - t0, w1 = p - t1, w2 = p - t2;
  const Vec3 normal = (t1 - t0).cross(t2 - t0);
  if (beyond(std::abs(normal.dot(w0)), normal, radius2)) return true;
  const Vec3 middle = w0 + w1 + w2;
  return beyond(std::min({middle.dot(w0), middle.dot(w1), middle.dot(w2)}), middle, radius2);
}

bool edges_beyond(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, double radius2) {
  const Vec3 middle = (a0 - b0) + (a1 - b1);
  // Lowest of middle . (a_i - b_j), from differences only so that nothing is lost far from the origin.
  const double a_low = std::min(0.0, middle.dot(a1 - a0)), b_high = std::max(0.0, middle.dot(b1 - b0));
  return beyond(middle.dot(a0 - b0) + a_low - b_high, middle, radius2);
}

bool pair_beyond(const CollisionMesh& mesh, const PrimitivePair& pair, const Points& x, double radius2) {
  if (pair.kind == PairKind::vertex_face) {
    const auto t = mesh.triangles.col(pair.second);
    return point_beyond(x.col(mesh.vertices[pair.first]), x.col(t[0]), x.col(t[1]), x.col(t[2]), radius2);
  }
  const auto a = mesh.edges.col(pair.first), b = mesh.edges.col(pair.second);
  return edges_beyond(x.col(a[0]), x.col(a[1]), x.col(b[0]), x.col(b[1]), radius2);
}

bool pair_within(const CollisionMesh& mesh, const PrimitivePair& pair, const Points& x, double radius2) {
  if (pair_beyond(mesh, pair, x, radius2)) return false;
  if (pair.kind == PairKind::vertex_face) {
    const auto t = mesh.triangles.col(pair.second);
    return point_triangle_distance2(x.col(mesh.vertices[pair.first]), x.col(t[0]), x.col(t[1]), x.col(t[2])) <= radius2;
  }
  const auto a = mesh.edges.col(pair.first), b = mesh.edges.col(pair.second);
  return edge_edge_distance2(x.col(a[0]), x.col(a[1]), x.col(b[0]), x.col(b[1])) <= radius2;
}

}  // namespace

ContactDetector::ContactDetector(const CollisionMesh& mesh)
    : mesh_(mesh), broad_(mesh), owned_(mesh.owner_count), moving_(mesh.owner_count, 0), motion_(mesh.owner_count) {
  for (Index v : mesh.vertices) {
    owned_[mesh.vertex_owner[v]].push_back(v);
    if (!mesh.kinematic(v)) moving_[mesh.vertex_owner[v]] = 1;
  }
}

double ContactDetector::max_step(const Points& x, const Points& d, std::span<const PlaneState> now,
                                 std::span<const PlaneState> end) {
  const double surface = surface_step(mesh_, broad_, x, d);
  return surface > 0 ? std::min(surface, planes_step(mesh_, x, d, now, end)) : 0;
}

const ContactSet& ContactDetector::active_set(const Points& x, std::span<const PlaneState> planes, double dhat) {
  if (!list_covers(x, dhat)) rebuild(x, dhat);
  ++uses_;
  collect(x, planes, dhat);
  return active_;
}

void ContactDetector::measure_motion(const Points& x, double margin) {
  origin_ = mesh_.vertices.empty() ? Vec3(Vec3::Zero()) : Vec3(x.col(mesh_.vertices[0]));
  parallel_for(
      owned_.size(),
      [&](std::size_t owner) {
        const std::vector<Index>& ids = owned_[owner];
        OwnerMotion& motion = motion_[owner];
        motion = {};
        if (ids.empty()) return;
        Vec3 low = x.col(ids[0]), high = low;
        for (Index v : ids) {
          motion.mean += x.col(v) - built_at_.col(v);
          low = low.cwiseMin(x.col(v));
          high = high.cwiseMax(x.col(v));
        }
        motion.mean /= static_cast<double>(ids.size());
        double spread2 = 0;
        for (Index v : ids) {
          const double moved2 = ((x.col(v) - built_at_.col(v)) - motion.mean).squaredNorm();
          spread2 = moved2 <= spread2 ? spread2 : moved2;  // lets not-a-number through
        }
        motion.spread = std::sqrt(spread2);
        for (int c = 0; c < 3; ++c) {
          motion.bounds.low[c] = float_below(low[c] - origin_[c] - margin);
          motion.bounds.high[c] = float_above(high[c] - origin_[c] + margin);
        }
      },
      1);
}

bool ContactDetector::list_covers(const Points& x, double dhat) {
  if (radius_ == 0 || built_at_.cols() != x.cols() || dhat > radius_) return false;
  measure_motion(x, 0.5 * dhat * (1 + kSafety));
  std::vector<FloatBox> bounds(owned_.size());
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (!std::isfinite(motion_[i].spread)) return false;
    if (!owned_[i].empty()) bounds[i] = motion_[i].bounds;
  }
  // A pair of a and b that was further than radius_ is now further than radius_ - |mean_a - mean_b| - spreads. Owners
  // whose bounds are dhat apart need no list.
  const double allowed = radius_ * (1 - kSafety) - dhat - rounding_;
  for (const auto& [a, b] : overlapping_pairs(bounds)) {
    if (!mesh_.owners_may_touch(a, b) || !(moving_[a] || moving_[b])) continue;
    const double moved = (motion_[a].mean - motion_[b].mean).norm() + motion_[a].spread + motion_[b].spread;
    if (!(moved <= allowed)) return false;
  }
  return true;
}

// Lists that are outlived soon get more slack; lists much longer than the mesh less.
void ContactDetector::adapt_slack() {
  constexpr double kLeast = 0.125, kMost = 8;
  if (rebuilds_ > 0 && uses_ < 3) slack_ratio_ = std::min(kMost, 2 * slack_ratio_);
  if (candidates_.size() > 6 * mesh_.vertices.size()) slack_ratio_ = std::max(kLeast, slack_ratio_ / 2);
}

void ContactDetector::rebuild(const Points& x, double dhat) {
  for (Index v : mesh_.vertices) {
    if (!x.col(v).allFinite()) {
      throw SimulationError(fmt::format("the position of surface vertex {} of '{}' is not finite", v,
                                        mesh_.owner_names.empty() ? "" : mesh_.owner_names[mesh_.vertex_owner[v]]));
    }
  }
  adapt_slack();
  radius_ = dhat * (1 + slack_ratio_);
  uses_ = 0;
  ++rebuilds_;
  built_at_ = x;
  rounding_ = 16 * std::numeric_limits<double>::epsilon() * parallel_max(mesh_.vertices.size(), 0, [&](std::size_t i) {
                return x.col(mesh_.vertices[i]).cwiseAbs().maxCoeff();
              });
  broad_.set_positions(x, radius_ * (1 + kSafety));
  const auto& batches = broad_.batches();
  if (found_.size() < batches.size()) found_.resize(batches.size());
  parallel_for(
      batches.size(),
      [&](std::size_t b) {
        found_[b].clear();
        broad_.visit(batches[b], [&](const PrimitivePair& pair) {
          if (pair_within(mesh_, pair, x, radius_ * radius_)) found_[b].push_back(pair);
        });
      },
      1);
  candidates_.clear();
  for (std::size_t b = 0; b < batches.size(); ++b) {
    candidates_.insert(candidates_.end(), found_[b].begin(), found_[b].end());
  }
}

void ContactDetector::collect(const Points& x, std::span<const PlaneState> planes, double dhat) {
  const double dhat2 = dhat * dhat;
  const std::size_t pair_chunks = (candidates_.size() + kChunk - 1) / kChunk;
  const std::size_t plane_vertices = mesh_.planes.empty() ? 0 : mesh_.vertices.size();
  const std::size_t chunks = pair_chunks + (plane_vertices + kChunk - 1) / kChunk;
  if (chunks_.size() < chunks) chunks_.resize(chunks);
  chunk_distance2_.assign(chunks, kInfinity);

  const auto keep = [&](std::size_t chunk, const StencilAtDistance& contact) {
    chunks_[chunk].push_back(contact.stencil);
    chunk_distance2_[chunk] = std::min(chunk_distance2_[chunk], contact.distance2);
  };
  parallel_for(
      chunks,
      [&](std::size_t chunk) {
        chunks_[chunk].clear();
        if (chunk < pair_chunks) {
          for (std::size_t i = chunk * kChunk; i < std::min(candidates_.size(), (chunk + 1) * kChunk); ++i) {
            if (pair_beyond(mesh_, candidates_[i], x, dhat2)) continue;
            const auto& [kind, first, second] = candidates_[i];
            const StencilAtDistance contact = kind == PairKind::vertex_face
                                                  ? point_triangle_stencil(mesh_, first, second, x)
                                                  : edge_edge_stencil(mesh_, first, second, x);
            if (contact.distance2 < dhat2) keep(chunk, contact);
          }
          return;
        }
        const std::size_t begin = (chunk - pair_chunks) * kChunk;
        for (std::size_t i = begin; i < std::min(plane_vertices, begin + kChunk); ++i) {
          const Index v = mesh_.vertices[i];
          if (mesh_.kinematic(v)) continue;
          for (std::size_t p = 0; p < mesh_.planes.size(); ++p) {
            if (!mesh_.owners_may_touch(mesh_.vertex_owner[v], mesh_.planes[p].owner)) continue;
            double height = 0;
            StencilAtDistance contact =
                point_plane_stencil(mesh_, static_cast<Index>(i), static_cast<Index>(p), planes[p], x, &height);
            if (height < 0) contact.distance2 = 0;
            if (height < dhat) keep(chunk, contact);
          }
        }
      },
      1);

  active_.stencils.clear();
  double distance2 = kInfinity;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    active_.stencils.insert(active_.stencils.end(), chunks_[chunk].begin(), chunks_[chunk].end());
    distance2 = std::min(distance2, chunk_distance2_[chunk]);
  }
  active_.min_distance = std::sqrt(distance2);
  active_.sort_and_merge(static_cast<Index>(x.cols()));
}

}  // namespace sinew
