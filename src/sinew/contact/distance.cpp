#include "sinew/contact/distance.h"

#include "sinew/contact/distance_residual.h"

namespace sinew {

// Each distance is the length of the residual r = sum_i c_i x_i between the closest points (distance_residual.h).

double point_line_distance2(const Vec3& p, const Vec3& e0, const Vec3& e1) {
  return contact_detail::line_residual(p, e0, e1).r.squaredNorm();
}

double point_plane_distance2(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2) {
  return contact_detail::plane_residual(p - t0, t1 - t0, t2 - t0).r.squaredNorm();
}

// min over (alpha, beta) of |(a0 + alpha (a1 - a0)) - (b0 + beta (b1 - b0))|^2.
double line_line_distance2(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  return contact_detail::plane_residual(a0 - b0, a0 - a1, b1 - b0).r.squaredNorm();
}

double point_triangle_distance2(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2, PointTriangleType type) {
  switch (type) {
    case PointTriangleType::p_t0:
      return point_point_distance2(p, t0);
    case PointTriangleType::p_t1:
      return point_point_distance2(p, t1);
    case PointTriangleType::p_t2:
      return point_point_distance2(p, t2);
    case PointTriangleType::p_e0:
      return point_line_distance2(p, t0, t1);
    case PointTriangleType::p_e1:
      return point_line_distance2(p, t1, t2);
    case PointTriangleType::p_e2:
      return point_line_distance2(p, t2, t0);
    case PointTriangleType::p_t:
      break;
  }
  return point_plane_distance2(p, t0, t1, t2);
}

double edge_edge_distance2(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, EdgeEdgeType type) {
  switch (type) {
    case EdgeEdgeType::a0_b0:
      return point_point_distance2(a0, b0);
    case EdgeEdgeType::a0_b1:
      return point_point_distance2(a0, b1);
    case EdgeEdgeType::a1_b0:
      return point_point_distance2(a1, b0);
    case EdgeEdgeType::a1_b1:
      return point_point_distance2(a1, b1);
    case EdgeEdgeType::a_b0:
      return point_line_distance2(b0, a0, a1);
    case EdgeEdgeType::a_b1:
      return point_line_distance2(b1, a0, a1);
    case EdgeEdgeType::a0_b:
      return point_line_distance2(a0, b0, b1);
    case EdgeEdgeType::a1_b:
      return point_line_distance2(a1, b0, b1);
    case EdgeEdgeType::a_b:
      break;
  }
  return line_line_distance2(a0, a1, b0, b1);
}

}  // namespace sinew
