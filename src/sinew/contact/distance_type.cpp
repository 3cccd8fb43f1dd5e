#include "sinew/contact/distance_type.h"

#include "sinew/contact/distance_residual.h"

namespace sinew {

using contact_detail::line_residual;
using contact_detail::nearly_parallel;
using contact_detail::plane_residual;

// The end points' Voronoi regions are the half-spaces (p - e0) . e <= 0 and (p - e1) . e >= 0. An edge of zero length
// has e = 0 and counts as e0.
ClosestFeatures<PointEdgeType> point_edge_closest(const Vec3& p, const Vec3& e0, const Vec3& e1) {
  const Vec3 e = e1 - e0, w0 = p - e0;
  if (!(w0.dot(e) > 0)) return {PointEdgeType::p_e0, w0.squaredNorm()};
  const Vec3 w1 = p - e1;
  if (!(w1.dot(e) < 0)) return {PointEdgeType::p_e1, w1.squaredNorm()};
  return {PointEdgeType::p_e, line_residual(p, e0, e1).r.squaredNorm()};
}

namespace {

using TriangleResult = ClosestFeatures<PointTriangleType>;
using EdgeResult = ClosestFeatures<EdgeEdgeType>;

// The nearest feature of a triangle without area, whose inside has no normal: the nearest of its three sides.
TriangleResult nearest_side(const Vec3& p, const Vec3* t) {
  TriangleResult best{PointTriangleType::p_t0, (p - t[0]).squaredNorm()};
  for (int side = 0; side < 3; ++side) {
    const int next = (side + 1) % 3;
    const auto [type, distance2] = point_edge_closest(p, t[side], t[next]);
    if (!(distance2 < best.distance2)) continue;
    const int vertex = type == PointEdgeType::p_e0 ? side : next;
    best = {static_cast<PointTriangleType>(type == PointEdgeType::p_e ? 3 + side : vertex), distance2};
  }
  return best;
}

// Replaces `best` by the closest features of a point of one edge and the other edge where these are closer.
void consider(const Vec3& p, const Vec3& e0, const Vec3& e1, EdgeEdgeType start, EdgeEdgeType end, EdgeEdgeType inside,
              bool& found, EdgeResult& best) {
  const auto [type, distance2] = point_edge_closest(p, e0, e1);
  if (found && !(distance2 < best.distance2)) return;
  found = true;
  best.distance2 = distance2;
  best.type = type == PointEdgeType::p_e0 ? start : type == PointEdgeType::p_e1 ? end : inside;
}

}  // namespace

// Voronoi regions (Ericson 2005, sec. 5.1.5), from the most to the least specific feature:
//   vertex i   (p - t_i) . e_i <= 0 and (p - t_i) . e_(i-1) >= 0
//   edge i     p projects between its ends and lies outside: (e_i x (p - t_i)) . n <= 0
//   inside     otherwise
// with edges e_i = t_(i+1) - t_i and normal n = e_0 x (t_2 - t_0).
ClosestFeatures<PointTriangleType> point_triangle_closest(const Vec3& p, const Vec3& t0, const Vec3& t1,
                                                          const Vec3& t2) {
  const Vec3 t[3] = {t0, t1, t2};
  const Vec3 e[3] = {t1 - t0, t2 - t1, t0 - t2};
  const Vec3 w[3] = {p - t0, p - t1, p - t2};
  double after_start[3], after_end[3];  // progress of p along each edge, past its start and past its end
  for (int i = 0; i < 3; ++i) {
    after_start[i] = e[i].dot(w[i]);
    after_end[i] = e[i].dot(w[(i + 1) % 3]);
  }
  for (int i = 0; i < 3; ++i) {
    if (after_start[i] <= 0 && after_end[(i + 2) % 3] >= 0) {
      return {static_cast<PointTriangleType>(i), w[i].squaredNorm()};
    }
  }
  const Vec3 n = e[0].cross(-e[2]);
  if (nearly_parallel(n.squaredNorm(), e[0], e[2])) return nearest_side(p, t);
  for (int i = 0; i < 3; ++i) {
    const bool between = after_start[i] > 0 && after_end[i] < 0;
    if (between && e[i].cross(w[i]).dot(n) <= 0) {
      return {static_cast<PointTriangleType>(3 + i), line_residual(p, t[i], t[(i + 1) % 3]).r.squaredNorm()};
    }
  }
  return {PointTriangleType::p_t, plane_residual(w[0], e[0], -e[2]).r.squaredNorm()};
}

// The distance |w - s e - t f|^2 of two lines is a convex quadratic over the unit square of (s, t). Its minimum over
// the plane (distance_residual.h) is the answer if it lies inside of the square; otherwise the minimum over the square
// lies on one of the (one or two) sides that the minimum over the plane violates, each of which is a point-edge
// distance. s and t are compared as multiples of |n|^2, so that nothing is divided by a vanishing cross product.
ClosestFeatures<EdgeEdgeType> edge_edge_closest(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const Vec3 e = a0 - a1, f = b1 - b0, w = a0 - b0, n = e.cross(f);
  const double n2 = n.squaredNorm();
  const bool parallel = nearly_parallel(n2, e, f);
  const double s = w.cross(f).dot(n), t = e.cross(w).dot(n);  // times n2
  if (!parallel && s > 0 && s < n2 && t > 0 && t < n2) {
    return {EdgeEdgeType::a_b, plane_residual(w, e, f).r.squaredNorm()};
  }
  using T = EdgeEdgeType;
  bool found = false;
  EdgeResult best{T::a0_b0, 0};
  if (parallel || s <= 0) consider(a0, b0, b1, T::a0_b0, T::a0_b1, T::a0_b, found, best);
  if (parallel || s >= n2) consider(a1, b0, b1, T::a1_b0, T::a1_b1, T::a1_b, found, best);
  if (parallel || t <= 0) consider(b0, a0, a1, T::a0_b0, T::a1_b0, T::a_b0, found, best);
  if (parallel || t >= n2) consider(b1, a0, a1, T::a0_b1, T::a1_b1, T::a_b1, found, best);
  return best;
}

}  // namespace sinew
