// Computes the longest step of a configuration along a direction before anything touches.
#pragma once

#include <span>

#include "sinew/contact/broad_phase.h"
#include "sinew/contact/vertex_runs.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

// Largest alpha found in [0, 1] such that no pair of primitives of the mesh touches along x + t d, 0 <= t <= alpha (x,
// d: 3 x n_all [m]). Pairs touch at the distance CollisionMesh::offset() of their owners. Their gap is their distance
// less that. At alpha each pair keeps ccd::kKeptGap of its gap. Conservative under rounding. Returns 0 if something
// touches at x or if input is not finite.
//
// `broad` belongs to the mesh; its boxes are overwritten. Only pairs of `selection` are searched, and only up to
// `limit`: the result is min(limit, a number that does not depend on limit). A motion longer than the edges is swept in
// consecutive intervals of t, each twice as long as the one before, until something limits it. This keeps the boxes of
// a huge step from all overlapping. Pairs are tested as they are found, so memory does not grow with their number.
double surface_step(const CollisionMesh& mesh, BroadPhase& broad, const Points& x, const Points& d,
                    BroadPhase::Selection selection = {}, double limit = 1);

// Searches the step in consecutive intervals up to `limit`. In the first interval nothing moves by more than a few
// `length` [m]; each further interval is twice as long. `motion` [m]: length of the whole motion. smallest_step(from,
// to) returns the step at which a pair limits the motion between `from` and `to`, or `to` if no pair does.
template <class SmallestStep>
double step_by_intervals(double motion, double length, double limit, SmallestStep&& smallest_step) {
  constexpr double kFirstReach = 4, kGrowth = 2;
  constexpr double kRemainder = 1.5;  // an interval that nearly reaches the end is extended to it
  double share = motion > kFirstReach * length ? kFirstReach * length / motion : 1;
  if (!(share > 0)) share = 1;  // all edges have length zero
  for (double from = 0;; share *= kGrowth) {
    const double to = from + kRemainder * share < limit ? from + share : limit;
    const double free = smallest_step(from, to);
    if (free < to || to == limit) return free;
    from = to;
  }
}

// Mean length of all edges at x [m].
double mean_edge_length(const CollisionMesh& mesh, const Points& x);

// The step of one pair: min(limit, a number that does not depend on limit).
double pair_step(const CollisionMesh& mesh, const PrimitivePair& pair, const Points& x, const Points& d, double limit);

// Returns the step, at most `limit`, of one vertex with position x and direction d [m] against a half-space. The
// half-space's point and normal move linearly from `now` (t = 0) to `end` (t = 1); the normal is not normalised in
// between. They touch at the height `offset` [m].
double plane_step(const Vec3& x, const Vec3& d, const PlaneState& now, const PlaneState& end, double limit,
                  double offset = 0);

// The smallest plane_step of all vertices of deformable bodies, in runs, against all planes that they may touch.
double planes_step(const CollisionMesh& mesh, std::span<const VertexRun> runs, const Points& x, const Points& d,
                   std::span<const PlaneState> now, std::span<const PlaneState> end);

}  // namespace sinew
