#include "sinew/contact/step_bound.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "sinew/contact/accd.h"
#include "sinew/contact/pair_distance.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr double kRoundoff = std::numeric_limits<double>::epsilon() / 2;

// Largest difference from the mean motion of all surface vertices [m].
double relative_motion(const CollisionMesh& mesh, const Points& d) {
  const std::size_t n = mesh.vertices.size();
  const auto component = [&](int c) {
    return parallel_sum(n, [&](std::size_t i) { return d(c, mesh.vertices[i]); }) / static_cast<double>(n);
  };
  const Vec3 mean(component(0), component(1), component(2));
  return parallel_max(n, 0, [&](std::size_t i) { return (d.col(mesh.vertices[i]) - mean).norm(); });
}

// Bernstein coefficients of an upper bound of offset |n(t)|, n(t) = (1 - t) n0 + t n1 with unit n0, n1:
//   |n| <= (1 + |n|^2) / 2,  whose excess is of fourth order in the angle between n0 and n1.
std::array<double, 3> offset_bounds(double offset, const PlaneState& now, const PlaneState& end) {
  offset *= 1 + 16 * kRoundoff;
  return {offset, offset * (1 + now.normal.dot(end.normal)) / 2, offset};
}

// value = min(value, candidate).
void lower(std::atomic<double>& value, double candidate) {
  double seen = value.load(std::memory_order_relaxed);
  while (candidate < seen && !value.compare_exchange_weak(seen, candidate, std::memory_order_relaxed)) {
  }
}

// The smallest step, at most `to`, of all pairs that the broad phase has found. A pair's bound is min(limit, its own
// number), so the running minimum only cuts work short and the result does not depend on the order of the pairs.
double smallest_step(const CollisionMesh& mesh, const BroadPhase& broad, const Points& x, const Points& d, double to) {
  std::atomic<double> smallest = to;
  const auto& batches = broad.batches();
  parallel_for(
      batches.size(),
      [&](std::size_t b) {
        double limit = smallest.load(std::memory_order_relaxed);
        broad.visit(batches[b],
                    [&](const PrimitivePair& pair) { limit = std::min(limit, pair_step(mesh, pair, x, d, limit)); });
        lower(smallest, limit);
      },
      1);
  return smallest;
}

}  // namespace

double mean_edge_length(const CollisionMesh& mesh, const Points& x) {
  const std::size_t edges = static_cast<std::size_t>(mesh.edges.cols());
  const double sum =
      parallel_sum(edges, [&](std::size_t e) { return (x.col(mesh.edges(0, e)) - x.col(mesh.edges(1, e))).norm(); });
  return edges > 0 ? sum / static_cast<double>(edges) : 0;
}

double pair_step(const CollisionMesh& mesh, const PrimitivePair& pair, const Points& x, const Points& d, double limit) {
  if (pair.kind == PairKind::vertex_face) {
    if (mesh.is_sample(mesh.vertices[pair.first])) return limit;  // inside its triangle
    const auto t = mesh.triangles.col(pair.second);
    return ccd::vertex_face_step(x, d, {mesh.vertices[pair.first], t[0], t[1], t[2]}, limit, pair_offset(mesh, pair));
  }
  const auto a = mesh.edges.col(pair.first), b = mesh.edges.col(pair.second);
  return ccd::edge_edge_step(x, d, {a[0], a[1], b[0], b[1]}, limit, pair_offset(mesh, pair));
}

// Broad phase and narrow phase (additive CCD, accd.h), interval by interval of t (step_by_intervals).
double surface_step(const CollisionMesh& mesh, BroadPhase& broad, const Points& x, const Points& d,
                    BroadPhase::Selection selection, double limit) {
  if (mesh.vertices.empty()) return limit;
  for (Index v : mesh.vertices) {
    if (!x.col(v).allFinite() || !d.col(v).allFinite()) return 0;
  }
  return step_by_intervals(relative_motion(mesh, d), mean_edge_length(mesh, x), limit, [&](double from, double to) {
    broad.set_motion(x, d, from, to, selection);
    return smallest_step(mesh, broad, x, d, to);
  });
}

// With w(t) the vertex relative to the plane's point, and n(t) the normal, both linear in t, the height n . w is a
// quadratic, less one for an offset. Its first crossing of kKeptGap of the initial height is found by Bezier clipping:
// the graph lies in the convex hull of its control points, and where the hull first reaches zero becomes the new start.
// Convergence is quadratic at a simple root.
double plane_step(const Vec3& x, const Vec3& d, const PlaneState& now, const PlaneState& end, double limit,
                  double offset) {
  constexpr int kClips = 64;  // a handful unless the root is nearly double
  const Vec3 w0 = x - now.point, w1 = w0 + (d - (end.point - now.point));
  // Bernstein coefficients of n(t) . w(t) on [0, 1], less those of the offset.
  std::array<double, 3> height{now.normal.dot(w0), (now.normal.dot(w1) + end.normal.dot(w0)) / 2, end.normal.dot(w1)};
  if (offset > 0) {
    const std::array<double, 3> touch = offset_bounds(offset, now, end);
    for (std::size_t i = 0; i < 3; ++i) height[i] -= touch[i];
  }
  const Vec3 normal = now.normal.cwiseAbs().cwiseMax(end.normal.cwiseAbs());
  const Vec3 size = x.cwiseAbs() + d.cwiseAbs() + now.point.cwiseAbs().cwiseMax(end.point.cwiseAbs());
  const double rounding = 64 * kRoundoff * normal.dot(size) + std::numeric_limits<double>::min();
  if (!(height[0] > rounding)) {  // of such a height nothing is known but that it grows
    const bool parts = height[0] > 0 && height[1] >= height[0] && height[2] > rounding;
    return parts ? limit : 0;
  }
  const double kept = ccd::kKeptGap * (height[0] - rounding) + rounding;
  for (double& h : height) h -= kept;
  double t = 0;
  for (int clip = 0; clip < kClips; ++clip) {
    // De Casteljau's algorithm gives the coefficients on [t, 1]. The hull first reaches zero on a line from a control
    // point above zero to one below.
    std::array<double, 3> b = height;
    for (int level = 1; level < 3; ++level)
      for (int i = 0; i < 3 - level; ++i) b[i] += t * (b[i + 1] - b[i]);
    if (!(b[0] > 0)) break;
    double first = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 2; ++i)
      for (int j = i + 1; j < 3; ++j)
        if (b[i] > 0 && !(b[j] > 0)) first = std::min(first, (i + (j - i) * (b[i] / (b[i] - b[j]))) / 2);
    const double next = t + first * (1 - t) * (1 - 8 * kRoundoff);
    if (next >= limit) return limit;
    if (!(next > t)) break;
    t = next;
  }
  return std::min(t, limit);
}

namespace {

// Whether plane_step() finds that a plane limits no vertex of a run: with h0, h1, h2 the Bernstein coefficients of the
// height, affine in the vertex, all h_i - kept h0 are positive and more than rounding.
bool nothing_limits(const VertexRun& run, const PlaneState& now, const PlaneState& end, const Points& x,
                    const Points& d, double offset) {
  if (!run.follows()) return false;
  const AffineMap from(x, run.followed), to = from + AffineMap(d, run.followed);
  const auto height = [](const AffineMap& place, const PlaneState& plane, const Vec3& normal) {
    AffineFunction height = place.along(normal);
    height.value -= normal.dot(plane.point);
    return height;
  };
  AffineFunction h0 = height(from, now, now.normal), h2 = height(to, end, end.normal);
  const AffineFunction a = height(to, end, now.normal), b = height(from, now, end.normal);
  AffineFunction h1{(a.value + b.value) / 2, (a.slope + b.slope) / 2};
  if (offset > 0) {
    const std::array<double, 3> touch = offset_bounds(offset, now, end);
    h0.value -= touch[0];
    h1.value -= touch[1];
    h2.value -= touch[2];
  }
  const double size = from.size() + to.size() + now.point.cwiseAbs().sum() + end.point.cwiseAbs().sum();
  const auto stays = [&](const AffineFunction& h) {
    return run.lowest({h.value - ccd::kKeptGap * h0.value, h.slope - ccd::kKeptGap * h0.slope}, size) > 0;
  };
  return stays(h0) && stays(h1) && stays(h2);
}

}  // namespace

double planes_step(const CollisionMesh& mesh, std::span<const VertexRun> runs, const Points& x, const Points& d,
                   std::span<const PlaneState> now, std::span<const PlaneState> end) {
  if (mesh.planes.empty()) return 1;
  return parallel_min(
      runs.size(), 1,
      [&](std::size_t r) {
        double step = 1;
        for (std::size_t p = 0; p < mesh.planes.size(); ++p) {
          // A run that follows has a single owner.
          const Index owner = mesh.vertex_owner[mesh.vertices[runs[r].begin]];
          if (nothing_limits(runs[r], now[p], end[p], x, d, mesh.offset(owner, mesh.planes[p].owner))) continue;
          for (std::size_t i = runs[r].begin; i < runs[r].end; ++i) {
            const Index v = mesh.vertices[i];
            if (mesh.kinematic(v) || mesh.is_sample(v) ||
                !mesh.owners_may_touch(mesh.vertex_owner[v], mesh.planes[p].owner))
              continue;
            step = plane_step(x.col(v), d.col(v), now[p], end[p], step,
                              mesh.offset(mesh.vertex_owner[v], mesh.planes[p].owner));
          }
        }
        return step;
      },
      8);
}

}  // namespace sinew
