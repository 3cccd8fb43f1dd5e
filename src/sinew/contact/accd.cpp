#include "sinew/contact/accd.h"

#include "sinew/contact/ccd_axis.h"

namespace sinew::ccd {
namespace {

using detail::kUnit;
using detail::Projection;
using detail::RelativeMotion;

// Each iteration gains at least kKeptGap of the distance over the pair's speed, so this many are rarely needed; a pair
// that needs more stops at the last time proved free.
constexpr int kMaxAdvances = 256;

// Corners as rows of coordinates, four lanes; a triangle repeats its last corner.
using Lanes = Eigen::Array<double, 4, 1>;
struct Corners {
  Lanes start[3], end[3];
};

// Separation along some direction at a time, per unit length.
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

// The widest over all plausible directions, at least `least` (which an inaccurate direction may have given).
template <int N>
Gap<N> widest_gap(const RelativeMotion<N>& motion, double t, const Vec3& uncertainty, Gap<N> least) {
  for_each_direction(motion, t, [&](const Vec3& n) {
    const Gap<N> gap = gap_along(motion, n, t, uncertainty);
    if (gap.size > least.size || !(least.size > 0)) least = gap.size > 0 ? gap : least;
  });
  return least;
}

// From time t, with direction `gap`, until `kept` [m] of the distance is left.
template <int N>
double advance(const RelativeMotion<N>& motion, const Vec3& uncertainty, Gap<N> gap, double t, double kept,
               double limit) {
  const double enough = kFreeGap / kKeptGap * kept;
  for (int iteration = 0; iteration < kMaxAdvances; ++iteration) {
    const double until = reach(gap.along, t, kept * gap.length);
    if (until >= limit) return limit;
    if (!(until > t)) return t;
    t = until;
    gap = gap_along(motion, detail::closest_direction(motion.at(t)), t, uncertainty);
    if (!(gap.size > enough)) gap = widest_gap(motion, t, uncertainty, gap);
    if (!(gap.size > enough)) return t;
  }
  return t;
}

template <int N>
RelativeMotion<N> motion_of(const Corners& corners) {
  RelativeMotion<N> motion;
  for (int c = 0; c < 3; ++c) {
    motion.start.row(c) = corners.start[c].head<N>().matrix().transpose();
    motion.end.row(c) = corners.end[c].head<N>().matrix().transpose();
  }
  return motion;
}

// uncertainty: rounding of each coordinate difference, including that of x + alpha d by the caller [m].
template <int N>
double slow_step(const Corners& corners, const Vec3& uncertainty, double limit) {
  const RelativeMotion<N> motion = motion_of<N>(corners);
  Gap<N> gap = gap_along(motion, detail::closest_direction(motion.start), 0, uncertainty);
  if (!(gap.size > 0)) gap = widest_gap(motion, 0, uncertainty, gap);
  if (!(gap.size > 0)) return 0;
  return advance(motion, uncertainty, gap, 0, kKeptGap * gap.size, limit);
}

// Nearly all pairs are settled by one direction that separates until the end of the whole motion. That verdict must not
// depend on `limit`, so it is always asked for t = 1.
template <int N>
double free_step(const Corners& corners, const Vec3& first_position, const Vec3& first_motion, double limit) {
  Eigen::Matrix<double, 3, N> start;
  Vec3 largest;
  for (int c = 0; c < 3; ++c) {
    start.row(c) = corners.start[c].head<N>().matrix().transpose();
    largest[c] = corners.start[c].abs().max(corners.end[c].abs()).maxCoeff();
  }
  // Positions of all four vertices and their displacements are within 2 * largest and 4 * largest of the first ones:
  // 2 roundings of x + alpha d at both ends of a difference, and 16 of the projection itself, rounded up.
  const Vec3 uncertainty = 8 * kUnit * (first_position.cwiseAbs() + first_motion.cwiseAbs()) + 64 * kUnit * largest;

  const Vec3 n = detail::closest_direction(start);
  const double off = n.cwiseAbs().dot(uncertainty) + detail::kUnderflow;
  const Lanes at0 = n[0] * corners.start[0] + n[1] * corners.start[1] + n[2] * corners.start[2];
  const double low0 = at0.minCoeff() - off;
  const Lanes at1 = n[0] * corners.end[0] + n[1] * corners.end[1] + n[2] * corners.end[2];
  if (low0 > 0 && at1.minCoeff() - off > kKeptGap * low0) return limit;
  return slow_step<N>(corners, uncertainty, limit);
}

}  // namespace

double vertex_face_step(const Points& x, const Points& d, const std::array<Index, 4>& v, double limit) {
  Corners corners;
  for (int c = 0; c < 3; ++c) {
    const Lanes faces(x(c, v[1]), x(c, v[2]), x(c, v[3]), x(c, v[3]));
    const Lanes motions(d(c, v[1]), d(c, v[2]), d(c, v[3]), d(c, v[3]));
    corners.start[c] = x(c, v[0]) - faces;
    corners.end[c] = corners.start[c] + (d(c, v[0]) - motions);
  }
  return free_step<3>(corners, x.col(v[0]), d.col(v[0]), limit);
}

double edge_edge_step(const Points& x, const Points& d, const std::array<Index, 4>& v, double limit) {
  Corners corners;
  const auto difference = [&](const Points& y, int c) -> Lanes {
    return Lanes(y(c, v[0]), y(c, v[0]), y(c, v[1]), y(c, v[1])) -
           Lanes(y(c, v[2]), y(c, v[3]), y(c, v[2]), y(c, v[3]));
  };
  for (int c = 0; c < 3; ++c) {
    corners.start[c] = difference(x, c);
    corners.end[c] = corners.start[c] + difference(d, c);
  }
  return free_step<4>(corners, x.col(v[0]), d.col(v[0]), limit);
}

}  // namespace sinew::ccd
