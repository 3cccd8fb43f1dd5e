#include "sinew/contact/accd.h"

#include "sinew/contact/ccd_axis.h"

namespace sinew::ccd {
namespace {

using detail::kUnit;
using detail::Projection;
using detail::RelativeMotion;

// An offset xi of surfaces is raised by this factor, above the rounding of |n| and of quotients by it.
constexpr double kOffsetRounding = 1 + 32 * kUnit;

// Each advance uses up all but kKeptGap of the remaining distance at the pair's relative speed, and turning directions
// prove long intervals at once, so few are needed. A pair that needs more stops at the last time that was proved free.
constexpr int kMaxAdvances = 256;
// Intervals proved by a fixed direction before turning ones are tried: most pairs need no more.
constexpr int kFixedDirections = 3;

using Lanes = Eigen::Array<double, 4, 1>;
// Coordinates of the corners r_k of the Minkowski difference at t = 0 and at t = 1 [m]: a row for each axis, four
// lanes. A triangle repeats its last corner in the fourth lane.
struct Corners {
  Lanes start[3], end[3];
};

// The separation of two primitives along a direction n at one time t, min_k n . r_k(t) / |n|: a lower bound of their
// distance for any n, and equal to it for the exact closest direction.
template <int N>
struct Gap {
  Projection<N> along;
  double length = 0;  // |n|
  double size = 0;    // [m], not positive where the direction does not separate
};

template <int N>
Gap<N> gap_along(const RelativeMotion<N>& motion, const Vec3& n, double t, const Vec3& uncertainty) {
  Gap<N> gap{project(motion, n, uncertainty), n.norm(), 0};
  gap.size = gap.along.lowest(t) / gap.length;
  return gap;
}

// The largest separation at t over all directions that can be the closest one (for_each_direction), and not below that
// of `least`. It costs about ten projections, so it is taken only where the first direction is too inaccurate.
template <int N>
Gap<N> widest_gap(const RelativeMotion<N>& motion, double t, const Vec3& uncertainty, Gap<N> least) {
  for_each_direction(motion, t, [&](const Vec3& n) {
    const Gap<N> gap = gap_along(motion, n, t, uncertainty);
    if (gap.size > least.size || !(least.size > 0)) least = gap.size > 0 ? gap : least;
  });
  return least;
}

// Whether the direction that turns evenly from `from` at time t0 to `to` at time t1 keeps the primitives `kept` [m]
// apart in between. With n(s) = (1 - s) n0 + s n1 and t(s) = (1 - s) t0 + s t1 the corners' separations n(s) .
// r_k(t(s)) are quadratic in s, not below the least of their Bernstein coefficients
//   n0 . r_k(t0),  (n0 . r_k(t1) + n1 . r_k(t0)) / 2,  n1 . r_k(t1),
// and |n(s)| <= 1 for unit n0, n1. Where a primitive turns by theta about a contact, a fixed direction loses theta
// times the arm of its corners, this one theta^2 / 8.
template <int N>
bool turning_separates(const Gap<N>& from, double t0, const Gap<N>& to, double t1, double kept) {
  const auto at = [](const Projection<N>& along, int k, double t) {
    return along.start[k] + t * (along.end[k] - along.start[k]);
  };
  const double wanted = (1 + 8 * kUnit) * kept;
  for (int k = 0; k < N; ++k) {
    const double begin = at(from.along, k, t0) / from.length, end = at(to.along, k, t1) / to.length;
    const double middle = 0.5 * (at(from.along, k, t1) / from.length + at(to.along, k, t0) / to.length);
    if (!(begin > wanted && middle > wanted && end > wanted)) return false;
  }
  return true;
}

// Whether the common normal of the primitives' planes proves them `kept` [m] apart from t0 to t1. With
//   e1 = r_1 - r_0,  e2 = r_2 - r_0,  n = e1 x e2,
// the separation n . r_0 / |n| is a lower bound of the distance. n is quadratic and n . r_0 cubic in t (the coplanarity
// polynomial), and each is bounded by its Bernstein coefficients n0, n1, n2 and (n . r_0)_0 .. (n . r_0)_3 on [t0, t1]:
//   min_i (n . r_0)_i > kept max_i |n_i|   suffices.
template <int N>
bool planes_separate(const RelativeMotion<N>& motion, double t0, double t1, double kept, const Vec3& uncertainty) {
  const Eigen::Matrix<double, 3, N> r0 = motion.at(t0), r1 = motion.at(t1);
  // w, a, b are r_0, e1, e2 at t0 (suffix 0) and at t1 (suffix 1).
  const Vec3 w0 = r0.col(0), a0 = r0.col(1) - w0, b0 = r0.col(2) - w0;
  Vec3 n0 = a0.cross(b0);
  const double side = n0.dot(w0) > 0 ? 1 : -1;
  if (!(side * n0.dot(w0) > kept * n0.norm())) return false;
  const Vec3 w1 = r1.col(0), a1 = r1.col(1) - w1, b1 = r1.col(2) - w1;
  // Degree elevation of the products e1 x e2 and n . r_0 gives their Bernstein coefficients.
  n0 *= side;
  const Vec3 n1 = 0.5 * side * (a0.cross(b1) + a1.cross(b0)), n2 = side * a1.cross(b1);
  const double lowest =
      std::min({n0.dot(w0), (2 * n1.dot(w0) + n0.dot(w1)) / 3, (n2.dot(w0) + 2 * n1.dot(w1)) / 3, n2.dot(w1)});
  // Rounding: each vector is off by `off`, each triple product by some units of its factors' sizes.
  const double w = std::max(w0.norm(), w1.norm()), a = std::max(a0.norm(), a1.norm()),
               b = std::max(b0.norm(), b1.norm());
  const double off = 2 * uncertainty.norm() + 16 * kUnit * (w + a + b);
  const double normal = std::sqrt(std::max({n0.squaredNorm(), n1.squaredNorm(), n2.squaredNorm()})) + 4 * off * (a + b);
  const double rounding = 4 * off * (a * b + w * (a + b)) + 64 * kUnit * w * a * b;
  return lowest > kept * normal + rounding;
}

// Proves an interval [t, until] with turning directions, and returns `until`, or t where no interval longer than that
// of the fixed direction, [t, fixed], is found. Trial intervals are halved from `interval` until one passes: the
// direction at its end is the closest one there, and either the direction that turns from `gap` to it or the planes'
// normal keeps `kept` [m] in between. On success `gap` becomes the direction at `until`, and the next trial starts four
// times longer.
template <int N>
double turn(const RelativeMotion<N>& motion, const Vec3& uncertainty, Gap<N>& gap, double t, double fixed, double kept,
            double& interval) {
  for (interval = std::max(interval, 2 * (fixed - t)); t + interval > fixed; interval *= 0.5) {
    const double until = std::min(1.0, t + interval);
    const Gap<N> there = gap_along(motion, detail::closest_direction(motion.at(until)), until, uncertainty);
    if (!(there.size > kept)) continue;
    if (!turning_separates(gap, t, there, until, kept) && !planes_separate(motion, t, until, kept, uncertainty))
      continue;
    gap = there;
    interval *= 4;
    return until;
  }
  return t;
}

// Additive CCD (Li et al. 2021, sec. 3) of surfaces that touch at the distance `offset` < kept: starting at time t with
// the separating direction `gap`, moves t forward until only `kept` [m] of the distance is left, `limit` is reached, or
// no direction gains any more. Each iteration
//   1. proves the interval in which the fixed direction keeps `kept` (linear in t, reach()),
//   2. after a few iterations tries directions that turn, which prove more where the pair turns about a contact,
//   3. takes the closest direction at the new t; where it does not leave more than kFreeGap of the initial gap, all
//      plausible ones; where none of them does, the pair is as near as it may come.
template <int N>
double advance(const RelativeMotion<N>& motion, const Vec3& uncertainty, Gap<N> gap, double t, double kept,
               double offset, double limit) {
  const double enough = offset + kFreeGap / kKeptGap * (kept - offset);
  double interval = 0;  // of turning directions
  for (int iteration = 0; iteration < kMaxAdvances; ++iteration) {
    const double until = reach(gap.along, t, kept * gap.length);
    if (until >= limit) return limit;
    if (!(until > t)) return t;
    const double turned = iteration < kFixedDirections ? t : turn(motion, uncertainty, gap, t, until, kept, interval);
    if (turned >= limit) return limit;
    if (turned > t) {
      t = turned;
    } else {
      t = until;
      gap = gap_along(motion, detail::closest_direction(motion.at(t)), t, uncertainty);
    }
    if (!(gap.size > enough)) gap = widest_gap(motion, t, uncertainty, gap);
    if (!(gap.size > enough)) return t;
  }
  return t;
}

// The corners as columns of matrices, for the general path.
template <int N>
RelativeMotion<N> motion_of(const Corners& corners) {
  RelativeMotion<N> motion;
  for (int c = 0; c < 3; ++c) {
    motion.start.row(c) = corners.start[c].head<N>().matrix().transpose();
    motion.end.row(c) = corners.end[c].head<N>().matrix().transpose();
  }
  return motion;
}

// Whether a motion parts primitives whose gap at t = 0 is no more than rounding: along some direction no corner lies
// behind at t = 0 or comes nearer, and all are clearly apart at t = 1. Of a pair that touches within rounding nothing
// else can be proved, and without this it would stay as it is for ever.
template <int N>
bool parts(const RelativeMotion<N>& motion, const Vec3& uncertainty, double offset) {
  const auto opens = [&](const Vec3& n) {
    const Projection<N> along = project(motion, n, uncertainty);
    const double touch = offset > 0 ? offset * n.norm() : 0;
    for (int k = 0; k < N; ++k) {
      const double start = n.dot(motion.start.col(k));
      if (!(start >= touch && along.end[k] > touch && n.dot(motion.end.col(k)) >= start)) return false;
    }
    return true;
  };
  bool found = opens(detail::closest_direction(motion.start));
  if (!found) for_each_direction(motion, 0, [&](const Vec3& n) { found = found || opens(n); });
  return found;
}

// The step of a pair that the first test did not settle; 0 where no direction separates the pair at t = 0 and it does
// not part.
// uncertainty: rounding of each coordinate difference, including that of x + alpha d by the caller [m].
template <int N>
double slow_step(const Corners& corners, const Vec3& uncertainty, double offset, double limit) {
  const RelativeMotion<N> motion = motion_of<N>(corners);
  Gap<N> gap = gap_along(motion, detail::closest_direction(motion.start), 0, uncertainty);
  if (!(gap.size > offset)) gap = widest_gap(motion, 0, uncertainty, gap);
  if (!(gap.size > offset)) return parts(motion, uncertainty, offset) ? limit : 0;
  return advance(motion, uncertainty, gap, 0, offset + kKeptGap * (gap.size - offset), offset, limit);
}

// The fast path: nearly all pairs are settled by the closest direction at t = 0, which separates them up to t = 1. The
// test is always for t = 1 and not for `limit`, so that its result does not depend on the running minimum of the
// caller.
template <int N>
double free_step(const Corners& corners, const Vec3& first_position, const Vec3& first_motion, double offset,
                 double limit) {
  Eigen::Matrix<double, 3, N> start;
  Vec3 largest;
  for (int c = 0; c < 3; ++c) {
    start.row(c) = corners.start[c].head<N>().matrix().transpose();
    largest[c] = corners.start[c].abs().max(corners.end[c].abs()).maxCoeff();
  }
  // Positions of all four vertices and their displacements are within 2 * largest and 4 * largest of the first ones:
  // 2 roundings of x + alpha d at both ends of a difference, and 16 of the projection itself, rounded up.
  const Vec3 uncertainty = 8 * kUnit * (first_position.cwiseAbs() + first_motion.cwiseAbs()) + 64 * kUnit * largest;

  // Free if the gap n . r_k - |n| xi is above 0 at t = 0, and above kKeptGap of that at t = 1, for all corners k, after
  // rounding.
  const Vec3 n = detail::closest_direction(start);
  const double off = n.cwiseAbs().dot(uncertainty) + detail::kUnderflow;
  const Lanes at0 = n[0] * corners.start[0] + n[1] * corners.start[1] + n[2] * corners.start[2];
  offset *= kOffsetRounding;
  const double touch = offset > 0 ? offset * n.norm() : 0;
  const double low0 = at0.minCoeff() - off - touch;
  const Lanes at1 = n[0] * corners.end[0] + n[1] * corners.end[1] + n[2] * corners.end[2];
  if (low0 > 0 && at1.minCoeff() - off - touch > kKeptGap * low0) return limit;
  return slow_step<N>(corners, uncertainty, offset, limit);
}

}  // namespace

// The vertex relative to the three corners of the face, at the start and at the end of the step, a lane for each.
double vertex_face_step(const Points& x, const Points& d, const std::array<Index, 4>& v, double limit, double offset) {
  Corners corners;
  for (int c = 0; c < 3; ++c) {
    const Lanes faces(x(c, v[1]), x(c, v[2]), x(c, v[3]), x(c, v[3]));
    const Lanes motions(d(c, v[1]), d(c, v[2]), d(c, v[3]), d(c, v[3]));
    corners.start[c] = x(c, v[0]) - faces;
    corners.end[c] = corners.start[c] + (d(c, v[0]) - motions);
  }
  return free_step<3>(corners, x.col(v[0]), d.col(v[0]), offset, limit);
}

double edge_edge_step(const Points& x, const Points& d, const std::array<Index, 4>& v, double limit, double offset) {
  Corners corners;
  const auto difference = [&](const Points& y, int c) -> Lanes {
    return Lanes(y(c, v[0]), y(c, v[0]), y(c, v[1]), y(c, v[1])) -
           Lanes(y(c, v[2]), y(c, v[3]), y(c, v[2]), y(c, v[3]));
  };
  for (int c = 0; c < 3; ++c) {
    corners.start[c] = difference(x, c);
    corners.end[c] = corners.start[c] + difference(d, c);
  }
  return free_step<4>(corners, x.col(v[0]), d.col(v[0]), offset, limit);
}

}  // namespace sinew::ccd
