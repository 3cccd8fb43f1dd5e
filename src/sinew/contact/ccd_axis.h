// The core of continuous collision detection: time intervals over which a fixed direction separates two moving convex
// primitives, with all rounding accounted for.
//
// Two primitives have vertices a_i(t), b_j(t) that move on straight lines over t in [0, 1]. The corners of their
// Minkowski difference (a triangle or a parallelogram) are the differences
//
//   r_k(t) = (1 - t) r_k(0) + t r_k(1)   of a_i and b_j, k over all vertex pairs.
//
// For any direction n the primitives are apart at t if n . r_k(t) > 0 for all k. Each n . r_k is linear in t, so
// positivity at two times proves that nothing touches in between. Directions n come from the closest points; an
// inaccurate n can only shorten the interval. For the exact closest direction n . r_k >= |n| times the distance. The
// interval is then never shorter than the step of additive CCD (Li et al. 2021, section 3), which bounds the same speed
// by norms.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "sinew/core/types.h"

namespace sinew::ccd::detail {

inline constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;  // unit roundoff

// Bound of the rounding of n . r_k and of the interval's end, relative to sum_c |n_c r_kc|. In unit roundoffs it is 4
// for the difference, products and sums, 2 for the margin and 8 for the root of a linear function, rounded up to 16.
inline constexpr double kAxisRounding = 16 * kUnit;

// Larger than the error of products that underflow, and far smaller than all other rounding.
inline constexpr double kUnderflow = std::numeric_limits<double>::min();

// The value that reach() returns when the direction separates until the end of the motion.
inline constexpr double kNever = 2;

// Corners of the Minkowski difference: 3 for vertex-face (v - f_j), 4 for edge-edge in the order
// a0 - b0, a0 - b1, a1 - b0, a1 - b1.
template <int N>
struct RelativeMotion {
  Eigen::Matrix<double, 3, N> start, end;  // r_k(0), r_k(1)

  Eigen::Matrix<double, 3, N> at(double t) const { return start + t * (end - start); }
};

// Lower bounds of n . r_k, which is |n| times the separation along n, at the start and the end; rounding is subtracted.
template <int N>
struct Projection {
  std::array<double, N> start, end;

  double lowest(double t) const {
    double low = start[0] + t * (end[0] - start[0]);
    for (int k = 1; k < N; ++k) {
      const double value = start[k] + t * (end[k] - start[k]);
      if (!(value >= low)) low = value;  // written so that NaN is kept
    }
    return low;
  }
};

// Projects the motion onto n. extra: further uncertainty of each coordinate of r_k [m].
template <int N>
Projection<N> project(const RelativeMotion<N>& motion, const Vec3& n, const Vec3& extra = Vec3::Zero()) {
  const Vec3 abs_n = n.cwiseAbs();
  const double shared = abs_n.dot(extra) + kUnderflow;
  Projection<N> result;
  for (int k = 0; k < N; ++k) {
    const Vec3 p = motion.start.col(k), q = motion.end.col(k);
    const double off = kAxisRounding * abs_n.dot(p.cwiseAbs().cwiseMax(q.cwiseAbs())) + shared;
    result.start[k] = n.dot(p) - off;
    result.end[k] = n.dot(q) - off;
  }
  return result;
}

// Returns the last time, from t on, up to which all projections stay above `margin` >= 0. Returns kNever if that time
// is beyond 1, and t if a projection is not above `margin` at t or a number is not finite.
template <int N>
double reach(const Projection<N>& along, double t, double margin = 0) {
  double until = kNever;
  for (int k = 0; k < N; ++k) {
    const double at0 = along.start[k] - margin, at1 = along.end[k] - margin;
    if (!(at0 + t * (at1 - at0) > 0)) return t;
    if (at1 > 0) continue;
    until = std::min(until, at0 / (at0 - at1));
  }
  return until;
}

// Closest point to the origin of the segment p q.
inline Vec3 closest_on_segment(const Vec3& p, const Vec3& q) {
  const Vec3 e = q - p;
  const double length2 = e.squaredNorm();
  if (!(length2 > 0)) return p;
  const double s = std::clamp(-p.dot(e) / length2, 0.0, 1.0);
  return s > 0.5 ? Vec3(q - (1 - s) * e) : Vec3(p + s * e);
}

// Closest point to the origin of the triangle of the columns (Ericson 2005, sec. 5.1.5). Degenerate triangles may give
// a point that is not the closest one.
inline Vec3 closest_direction(const Eigen::Matrix<double, 3, 3>& r) {
  const Vec3 a = r.col(0), ab = r.col(1) - r.col(0), ac = r.col(2) - r.col(0);
  const double d1 = -ab.dot(a), d2 = -ac.dot(a);
  if (d1 <= 0 && d2 <= 0) return a;
  const double d3 = -ab.dot(r.col(1)), d4 = -ac.dot(r.col(1));
  if (d3 >= 0 && d4 <= d3) return r.col(1);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return closest_on_segment(r.col(0), r.col(1));
  const double d5 = -ab.dot(r.col(2)), d6 = -ac.dot(r.col(2));
  if (d6 >= 0 && d5 <= d6) return r.col(2);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return closest_on_segment(r.col(0), r.col(2));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return closest_on_segment(r.col(1), r.col(2));
  // The closest point is inside. The normal component is more accurate than the difference of nearly equal points.
  const Vec3 normal = ab.cross(ac);
  return normal * (normal.dot(a) > 0 ? 1.0 : -1.0);
}

// Closest direction of two segments (Ericson 2005, sec. 5.1.9), from the corners of their parallelogram. For nearly
// parallel segments the direction may be inaccurate.
inline Vec3 closest_direction(const Eigen::Matrix<double, 3, 4>& r) {
  const Vec3 w = r.col(0), u = r.col(2) - r.col(0), v = r.col(0) - r.col(1);  // a0 - b0, a1 - a0, b1 - b0
  const double a = u.squaredNorm(), b = u.dot(v), c = v.squaredNorm(), d = u.dot(w), e = v.dot(w);
  const double det = a * c - b * b;
  double s = det > 0 ? (b * e - c * d) / det : 0;
  if (s > 0 && s < 1 && det > 1e-8 * a * c) {  // else the cross product has lost half its digits
    const double t = (b * s + e) / c;
    if (t > 0 && t < 1) {
      const Vec3 normal = u.cross(v);
      return normal * (normal.dot(w) > 0 ? 1.0 : -1.0);
    }
  }
  s = std::clamp(s, 0.0, 1.0);
  double t = b * s + e;
  if (!(t > 0)) {
    t = 0;
    s = a > 0 ? std::clamp(-d / a, 0.0, 1.0) : 0;
  } else if (t >= c) {
    t = 1;
    s = a > 0 ? std::clamp((b - d) / a, 0.0, 1.0) : 0;
  } else {
    t /= c;
  }
  return w + s * u - t * v;
}

// Normal of the plane through the corners, not normalised.
template <int N>
Vec3 plane_normal(const Eigen::Matrix<double, 3, N>& r) {
  return (r.col(1) - r.col(0)).cross(r.col(2) - r.col(0));
}

// Calls f(n) for every direction that can be the closest one at t: towards the plane, towards each side, and along the
// coordinate axes. It is slower than one closest_direction(), but also right for degenerate corners and for distances
// near rounding.
template <int N, class F>
void for_each_direction(const RelativeMotion<N>& motion, double t, F&& f) {
  const Eigen::Matrix<double, 3, N> r = motion.at(t);
  // Along a coordinate axis differences are exact: these settle aligned boxes at any gap.
  for (int c = 0; c < 3; ++c) f(Vec3(Vec3::Unit(c) * (r(c, 0) > 0 ? 1.0 : -1.0)));
  const Vec3 normal = plane_normal<N>(r);
  f(Vec3(normal * (normal.dot(r.col(0)) > 0 ? 1.0 : -1.0)));
  constexpr int kSides[4][2] = {{0, 1}, {0, 2}, {1, N == 3 ? 2 : 3}, {2, 3}};
  for (int side = 0; side < N; ++side) {
    const Vec3 p = r.col(kSides[side][0]), q = r.col(kSides[side][1]);
    f(closest_on_segment(p, q));
    // Perpendicular to the line of the side, from its nearer end. For parallel edges with ends opposite each other, no
    // other direction is accurate to rounding.
    const Vec3 end = p.squaredNorm() < q.squaredNorm() ? p : q, along = q - p;
    const double length2 = along.squaredNorm();
    if (length2 > 0) f(Vec3(end - end.dot(along) / length2 * along));
    // In the plane and perpendicular to the side: the closest direction of coplanar primitives, exact near contact.
    const Vec3 across = normal.cross(q - p);
    f(Vec3(across * (across.dot(p) > 0 ? 1.0 : -1.0)));
  }
}

// The longest reach() from t over the directions of for_each_direction().
template <int N>
double best_reach(const RelativeMotion<N>& motion, double t) {
  double best = t;
  for_each_direction(motion, t, [&](const Vec3& n) { best = std::max(best, reach(project(motion, n), t)); });
  return best;
}

}  // namespace sinew::ccd::detail
