// Signed distances [m] (negative inside) and the smooth ways to join them, inlined: labels are asked for millions of
// times.
#pragma once

#include <algorithm>
#include <cmath>

#include "sinew/core/types.h"

namespace sinew::mesher {

// Box of the given half extents around the origin, its edges rounded with radius r.
inline double box_distance(const Vec3& p, const Vec3& half, double r = 0) {
  const Vec3 q = p.cwiseAbs() - half + Vec3::Constant(r);
  return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0) - r;
}

// Torus around the y axis.
inline double torus_distance(const Vec3& p, double radius, double tube) {
  return std::hypot(std::hypot(p.x(), p.z()) - radius, p.y()) - tube;
}

// Ellipsoid of the given half axes around the origin: exact on its surface, and about the distance near it.
inline double ellipsoid_distance(const Vec3& p, const Vec3& half) {
  const double k = p.cwiseQuotient(half).norm();
  const double slope = p.cwiseQuotient(half.cwiseAbs2()).norm();
  return slope > 0 ? k * (k - 1) / slope : -half.minCoeff();
}

// What a ball sweeps whose radius goes from ra at a to rb at b. Where the radii differ it is only about the distance.
inline double capsule_distance(const Vec3& p, const Vec3& a, const Vec3& b, double ra, double rb) {
  const Vec3 d = b - a;
  const double t = std::clamp((p - a).dot(d) / d.squaredNorm(), 0.0, 1.0);
  return (p - a - t * d).norm() - (ra + t * (rb - ra));
}

// Union with a fillet of width k.
inline double smooth_union(double a, double b, double k) {
  const double h = std::max(k - std::abs(a - b), 0.0) / k;
  return std::min(a, b) - 0.25 * h * h * k;
}

inline double smooth_intersection(double a, double b, double k) {
  return -smooth_union(-a, -b, k);
}

// Intersection whose edge is a quarter of a circle of radius r, where the two meet at a right angle.
inline double round_intersection(double a, double b, double r) {
  return std::hypot(std::max(a + r, 0.0), std::max(b + r, 0.0)) + std::min(std::max(a, b) + r, 0.0) - r;
}

// From 0 at a to 1 at b, with horizontal tangents.
inline double smooth_step(double a, double b, double x) {
  const double t = std::clamp((x - a) / (b - a), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace sinew::mesher
