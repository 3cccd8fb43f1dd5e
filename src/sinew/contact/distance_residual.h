// The shortest vector from a point, line or plane to another, as the residual of a small least-squares problem.
//
// Point-plane and line-line are both min over (alpha, beta) of |w - alpha e - beta f|. With n = e x f,
//
//   alpha = (w x f) . n / |n|^2,  beta = (e x w) . n / |n|^2,  residual r = n (n . w) / |n|^2.
//
// The parameters come from cross products of difference vectors. The determinant of the normal equations, |e|^2 |f|^2 -
// (e . f)^2, would cancel for small angles.
#pragma once

#include <Eigen/Geometry>

#include "sinew/core/types.h"

namespace sinew::contact_detail {

// Below this sin^2 of the angle between e and f, their cross product is only rounding.
inline constexpr double parallel_sin2 = 1e-26;
// Below this sin^2 of the angle the residual is the difference of the two closest points. The normal n has a relative
// error of rounding / sin, which r = n (n . w) / |n|^2 would inherit. The parameter alpha has this error too, but
// changes |r|^2 only by (error of alpha)^2 |e|^2 sin^2, the square of a rounding of the size at any angle.
inline constexpr double small_angle_sin2 = 1e-2;

inline bool nearly_parallel(double n2, const Vec3& e, const Vec3& f) {
  return !(n2 > parallel_sin2 * e.squaredNorm() * f.squaredNorm());
}

struct LineResidual {
  Vec3 r;    // [m], shortest vector from the line to the point
  double t;  // the line's closest point is e0 + t (e1 - e0)
};

// The residual of point p and the line through e0 != e1. It is measured from the nearer end point, so that the error is
// rounding times the distance to that end.
inline LineResidual line_residual(const Vec3& p, const Vec3& e0, const Vec3& e1) {
  const Vec3 e = e1 - e0, w0 = p - e0, w1 = p - e1;
  const double inverse = 1 / e.squaredNorm();
  const double from_start = w0.dot(e) * inverse, from_end = w1.dot(e) * inverse;
  if (-from_end < from_start) return {w1 - from_end * e, 1 + from_end};
  return {w0 - from_start * e, from_start};
}

struct PlaneResidual {
  Vec3 r;     // w - alpha e - beta f [m], normal to e and f
  Vec3 n;     // e x f [m^2]
  double n2;  // |n|^2 [m^4]
  double alpha, beta;
};

// The residual of w and the plane spanned by e and f, which must not be parallel (see nearly_parallel).
inline PlaneResidual plane_residual(const Vec3& w, const Vec3& e, const Vec3& f) {
  PlaneResidual result;
  result.n = e.cross(f);
  result.n2 = result.n.squaredNorm();
  result.alpha = w.cross(f).dot(result.n) / result.n2;
  result.beta = e.cross(w).dot(result.n) / result.n2;
  if (result.n2 > small_angle_sin2 * e.squaredNorm() * f.squaredNorm()) {
    result.r = result.n * (result.n.dot(w) / result.n2);
  } else {
    result.r = w - result.alpha * e;
    result.beta = result.r.dot(f) / f.squaredNorm();  // the best beta for this alpha
    result.r -= result.beta * f;
  }
  return result;
}

}  // namespace sinew::contact_detail
