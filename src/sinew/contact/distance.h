// Squared distances [m^2] between points, edges and triangles.
//
// All distances come from difference vectors: a gap g between primitives of size L has an absolute error of a few
// roundings of L, at any angle between the edges.
#pragma once

#include "sinew/contact/distance_type.h"
#include "sinew/core/types.h"

namespace sinew {

inline double point_point_distance2(const Vec3& p, const Vec3& q) {
  return (p - q).squaredNorm();
}

// Squared distance of a point and the infinite line through e0 != e1.
double point_line_distance2(const Vec3& p, const Vec3& e0, const Vec3& e1);

// Squared distance of a point and the plane of a triangle, whose area must not be zero.
double point_plane_distance2(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2);

// Squared distance of the infinite lines a0 a1 and b0 b1, which must not be parallel.
double line_line_distance2(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

inline double point_edge_distance2(const Vec3& p, const Vec3& e0, const Vec3& e1) {
  return point_edge_closest(p, e0, e1).distance2;
}
inline double point_triangle_distance2(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2) {
  return point_triangle_closest(p, t0, t1, t2).distance2;
}
inline double edge_edge_distance2(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  return edge_edge_closest(a0, a1, b0, b1).distance2;
}

// Squared distance of the features that `type` names, which need not be the closest ones.
double point_triangle_distance2(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2, PointTriangleType type);
double edge_edge_distance2(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, EdgeEdgeType type);

}  // namespace sinew
