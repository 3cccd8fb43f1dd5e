#include "sinew/contact/distance_derivatives.h"

#include <Eigen/Geometry>

#include "sinew/contact/distance.h"
#include "sinew/contact/distance_residual.h"

namespace sinew {
namespace {

// Each function below fills c, C and J of one kind of pair: r = sum_i c_i(z) x_i at the optimal parameters z, C = dc/dz
// and J = dr/dz = sum_i C_i x_i (distance_derivatives.h). p, q, e0, e1 are columns of x.

// r = x_p - x_q; no parameters.
ClosestPair point_point_pair(const StencilPoints& x, int p, int q) {
  ClosestPair pair;
  pair.c[p] = 1;
  pair.c[q] = -1;
  pair.r = x.col(p) - x.col(q);
  return pair;
}

// r = x_p - (1 - t) x_e0 - t x_e1, z = t.
ClosestPair point_line_pair(const StencilPoints& x, int p, int e0, int e1) {
  const auto [r, t] = contact_detail::line_residual(x.col(p), x.col(e0), x.col(e1));
  ClosestPair pair;
  pair.c[p] = 1;
  pair.c[e0] = t - 1;
  pair.c[e1] = -t;
  pair.r = r;
  pair.parameters = 1;
  pair.C(e0, 0) = 1;
  pair.C(e1, 0) = -1;
  pair.J.col(0) = x.col(e0) - x.col(e1);
  return pair;
}

// r = x_0 - (1 - alpha - beta) x_1 - alpha x_2 - beta x_3, z = (alpha, beta) the barycentric coordinates.
ClosestPair point_plane_pair(const StencilPoints& x) {
  const Vec3 e = x.col(2) - x.col(1), f = x.col(3) - x.col(1);
  const auto residual = contact_detail::plane_residual(x.col(0) - x.col(1), e, f);
  ClosestPair pair;
  pair.c << 1, residual.alpha + residual.beta - 1, -residual.alpha, -residual.beta;
  pair.r = residual.r;
  pair.parameters = 2;
  pair.C << 0, 0, 1, 1, -1, 0, 0, -1;
  pair.J << -e, -f;
  return pair;
}

// r = (1 - alpha) x_0 + alpha x_1 - (1 - beta) x_2 - beta x_3, z = (alpha, beta) the positions along the edges.
ClosestPair line_line_pair(const StencilPoints& x) {
  const Vec3 e = x.col(0) - x.col(1), f = x.col(3) - x.col(2);
  const auto residual = contact_detail::plane_residual(x.col(0) - x.col(2), e, f);
  ClosestPair pair;
  pair.c << 1 - residual.alpha, residual.alpha, residual.beta - 1, -residual.beta;
  pair.r = residual.r;
  pair.parameters = 2;
  pair.C << -1, 0, 1, 0, 0, 1, 0, -1;
  pair.J << -e, -f;
  return pair;
}

// The pair of the features that hold the closest points at x. For nearly parallel edges the type may change between
// iterations; the mollifier and its gradient vanish where the distance has a kink (mollifier.h).
ClosestPair edge_edge_pair(const StencilPoints& x) {
  switch (edge_edge_type(x.col(0), x.col(1), x.col(2), x.col(3))) {
    case EdgeEdgeType::a0_b0:
      return point_point_pair(x, 0, 2);
    case EdgeEdgeType::a0_b1:
      return point_point_pair(x, 0, 3);
    case EdgeEdgeType::a1_b0:
      return point_point_pair(x, 1, 2);
    case EdgeEdgeType::a1_b1:
      return point_point_pair(x, 1, 3);
    case EdgeEdgeType::a_b0:
      return point_line_pair(x, 2, 0, 1);
    case EdgeEdgeType::a_b1:
      return point_line_pair(x, 3, 0, 1);
    case EdgeEdgeType::a0_b:
      return point_line_pair(x, 0, 2, 3);
    case EdgeEdgeType::a1_b:
      return point_line_pair(x, 1, 2, 3);
    case EdgeEdgeType::a_b:
      break;
  }
  return line_line_pair(x);
}

// The pair of a kind of stencil, all but its squared distance.
ClosestPair unmeasured_pair(StencilKind kind, const StencilPoints& x) {
  switch (kind) {
    case StencilKind::point_edge:
      return point_line_pair(x, 0, 1, 2);
    case StencilKind::point_triangle:
      return point_plane_pair(x);
    case StencilKind::edge_edge:
      return line_line_pair(x);
    case StencilKind::edge_edge_mollified:
      return edge_edge_pair(x);
    default:
      return point_point_pair(x, 0, 1);
  }
}

}  // namespace

ClosestPair closest_pair(StencilKind kind, const StencilPoints& x) {
  ClosestPair pair = unmeasured_pair(kind, x);
  pair.distance2 = pair.r.squaredNorm();
  return pair;
}

double pair_distance2(StencilKind kind, const StencilPoints& x) {
  switch (kind) {
    case StencilKind::point_edge:
      return point_line_distance2(x.col(0), x.col(1), x.col(2));
    case StencilKind::point_triangle:
      return point_plane_distance2(x.col(0), x.col(1), x.col(2), x.col(3));
    case StencilKind::edge_edge:
      return line_line_distance2(x.col(0), x.col(1), x.col(2), x.col(3));
    case StencilKind::edge_edge_mollified:
      return edge_edge_distance2(x.col(0), x.col(1), x.col(2), x.col(3));
    default:
      return point_point_distance2(x.col(0), x.col(1));
  }
}

// Dual basis D of J (D^T J = I) and projector P = I - J D^T:
//   k = 2, n = e x f:  D = [f x n, n x e] / |n|^2,  P = n n^T / |n|^2
//   k = 1:             D = e / |e|^2,               P = I - e e^T / |e|^2
//   k = 0:             P = I
// The normal for k = 2 comes from n and not from r, which is rounding at tiny gaps.
PairFrame pair_frame(const ClosestPair& pair) {
  PairFrame frame;
  if (pair.parameters == 2) {
    const Vec3 e = pair.J.col(0), f = pair.J.col(1), n = e.cross(f);
    const double n2 = n.squaredNorm();
    frame.D << f.cross(n) / n2, n.cross(e) / n2;
    frame.P = n * n.transpose() / n2;
    frame.normal = n / (n.dot(pair.r) < 0 ? -std::sqrt(n2) : std::sqrt(n2));
    return frame;
  }
  if (pair.parameters == 1) {
    const Vec3 e = pair.J.col(0);
    frame.D.col(0) = e / e.squaredNorm();
    frame.P -= e * frame.D.col(0).transpose();
  }
  if (pair.distance2 > 0) frame.normal = pair.r / std::sqrt(pair.distance2);
  return frame;
}

// grad d2 = 2 c (x) r: the closest points' parameters are optimal, so their change does not count to first order.
Vec12 distance2_gradient(const ClosestPair& pair) {
  Vec12 g;
  for (int i = 0; i < 4; ++i) g.segment<3>(3 * i) = 2 * pair.c[i] * pair.r;
  return g;
}

// The Hessian of the squared distance |r|^2 with the closest points held at their features (C, c: weights of the
// vertices).
Mat12 distance2_hessian(const ClosestPair& pair, const PairFrame& frame) {
  // Block (i, j) = 2 [ c_i c_j P - c_i p_j r^T - r (c_j p_i)^T - (C A C^T)_ij r r^T ],  p_i = D C_i.
  const Eigen::Matrix<double, 3, 4> p = frame.D * pair.C.transpose();
  const Eigen::Matrix4d q = p.transpose() * p;
  const Mat3 rr = pair.r * pair.r.transpose();
  Mat12 H;
  for (int j = 0; j < 4; ++j) {
    const Mat3 r_p = pair.r * p.col(j).transpose();
    for (int i = 0; i < 4; ++i) {
      H.block<3, 3>(3 * i, 3 * j) = 2 * (pair.c[i] * pair.c[j] * frame.P - pair.c[i] * r_p.transpose() -
                                         pair.c[j] * pair.r * p.col(i).transpose() - q(i, j) * rr);
    }
  }
  return H;
}

}  // namespace sinew
