// A second bound for continuous collision detection. Primitives that touch have coplanar vertices, so they are apart as
// long as the cubic det[r_0, r_1, r_2](t) keeps its sign. If a thin gap rotates, one such bound may cover the whole
// motion, while a fixed direction (ccd_axis.h) advances only by about the gap.
#pragma once

#include <array>

#include "sinew/contact/ccd_axis.h"

namespace sinew::ccd::detail {

using Cubic = std::array<double, 4>;  // Bernstein coefficients

// Returns the cubic det[r_0, r_1, r_2](t) on [0, 1]. Sets `rounding` to a bound of the rounding of its coefficients,
// also after subdivision. Bernstein coefficient i is the mean of the determinants with i columns at t = 1 and the
// others at t = 0.
template <int N>
Cubic coplanarity_cubic(const RelativeMotion<N>& motion, double& rounding) {
  const auto det = [&](const auto& a, const auto& b, const auto& c) { return a.dot(b.cross(c)); };
  const std::array<Vec3, 3> p{motion.start.col(0), motion.start.col(1), motion.start.col(2)};
  const std::array<Vec3, 3> q{motion.end.col(0), motion.end.col(1), motion.end.col(2)};
  std::array<Vec3, 3> m;
  for (int k = 0; k < 3; ++k) m[k] = p[k].cwiseAbs().cwiseMax(q[k].cwiseAbs());
  // The permanent bounds the sum of the absolute values of all terms of any coefficient. A determinant takes 11
  // roundings, a coefficient 4, a subdivision 9.
  const double permanent = m[0].x() * (m[1].y() * m[2].z() + m[1].z() * m[2].y()) +
                           m[0].y() * (m[1].x() * m[2].z() + m[1].z() * m[2].x()) +
                           m[0].z() * (m[1].x() * m[2].y() + m[1].y() * m[2].x());
  double largest = 1;
  for (int k = 0; k < 3; ++k) largest = std::max(largest, m[k].maxCoeff());
  rounding = 32 * kUnit * permanent + largest * kUnderflow;
  return {det(p[0], p[1], p[2]), (det(q[0], p[1], p[2]) + det(p[0], q[1], p[2]) + det(p[0], p[1], q[2])) / 3,
          (det(p[0], q[1], q[2]) + det(q[0], p[1], q[2]) + det(q[0], q[1], p[2])) / 3, det(q[0], q[1], q[2])};
}

// Coefficients on [t, 1] of a cubic given on [0, 1] (de Casteljau).
inline Cubic restrict_to_tail(Cubic b, double t) {
  for (int level = 1; level < 4; ++level)
    for (int i = 0; i < 4 - level; ++i) b[i] += t * (b[i + 1] - b[i]);
  return b;
}

// The parameter at which the convex hull of the control points (i/3, b_i), b_0 > 0, first reaches zero; kNever if it
// stays positive. The graph of the cubic lies in this hull, so the cubic is positive before that parameter.
inline double first_zero_of_hull(const Cubic& b) {
  double first = kNever;
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 4; ++j)
      if (b[i] > 0 && !(b[j] > 0)) first = std::min(first, (i + (j - i) * (b[i] / (b[i] - b[j]))) / 3);
  return first;
}

// Returns the time, from t on, up to which the corners are proved not to be coplanar. Returns kNever if that time is
// beyond 1, and t if the corners are coplanar at t within rounding.
template <int N>
double coplanarity_reach(const RelativeMotion<N>& motion, double t) {
  double rounding = 0;
  Cubic whole = coplanarity_cubic(motion, rounding);
  if (restrict_to_tail(whole, t)[0] < 0)
    for (double& value : whole) value = -value;
  constexpr int kClips = 8;  // each clip at least doubles the accuracy near a simple root
  for (int clip = 0; clip < kClips; ++clip) {
    Cubic b = restrict_to_tail(whole, t);
    for (double& value : b) value -= rounding;
    if (!(b[0] > 0)) return t;
    const double clear = first_zero_of_hull(b);
    if (clear == kNever) return kNever;
    const double next = std::min(1.0, t + clear * (1 - t) * (1 - 8 * kUnit));
    if (!(next > t)) return t;
    t = next;
  }
  return t;
}

}  // namespace sinew::ccd::detail
