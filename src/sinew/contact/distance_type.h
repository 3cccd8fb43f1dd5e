// Finds which features of two primitives (vertices, edges, the triangle's inside) hold their closest points.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

enum class PointEdgeType { p_e0, p_e1, p_e };

// p against triangle t0 t1 t2; edges e0 = t0 t1, e1 = t1 t2, e2 = t2 t0.
enum class PointTriangleType { p_t0, p_t1, p_t2, p_e0, p_e1, p_e2, p_t };

// Edge a0 a1 against edge b0 b1.
enum class EdgeEdgeType { a0_b0, a0_b1, a1_b0, a1_b1, a_b0, a_b1, a0_b, a1_b, a_b };

// The closest features and the squared distance [m^2] between them.
template <class Type>
struct ClosestFeatures {
  Type type;
  double distance2;
};

// All arguments are positions [m]. Degenerate primitives (zero-length edges, triangles without area, parallel edges)
// get a well-defined lower-dimensional type, so that no distance is ever computed through a vanishing cross product.
ClosestFeatures<PointEdgeType> point_edge_closest(const Vec3& p, const Vec3& e0, const Vec3& e1);

// Finds the closest feature by the Voronoi regions of the triangle. It is a vertex if p projects beyond that vertex on
// both of its edges. It is an edge if p projects between the edge's ends and lies outside. Otherwise it is the inside.
ClosestFeatures<PointTriangleType> point_triangle_closest(const Vec3& p, const Vec3& t0, const Vec3& t1,
                                                          const Vec3& t2);

// The type is a_b if the closest points of the two lines are inside the edges. Otherwise the closest pair lies on a
// side of the unit square of edge parameters that the lines' closest pair violates. It is the nearer of at most two
// point-edge pairs. Parallel edges have the nearest of all four point-edge pairs, the first of equal ones in the order
// a0, a1, b0, b1.
ClosestFeatures<EdgeEdgeType> edge_edge_closest(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

inline PointEdgeType point_edge_type(const Vec3& p, const Vec3& e0, const Vec3& e1) {
  return point_edge_closest(p, e0, e1).type;
}
inline PointTriangleType point_triangle_type(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2) {
  return point_triangle_closest(p, t0, t1, t2).type;
}
inline EdgeEdgeType edge_edge_type(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  return edge_edge_closest(a0, a1, b0, b1).type;
}

}  // namespace sinew
