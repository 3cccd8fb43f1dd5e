#include "sinew/contact/mollifier.h"

#include <Eigen/Geometry>

namespace sinew {

// u and v are the vectors along the two edges; c = |u x v|^2 = |u|^2 |v|^2 sin^2 of the angle between them.
double edges_cross2(const StencilPoints& x) {
  const Vec3 u = x.col(1) - x.col(0), v = x.col(3) - x.col(2);
  return u.cross(v).squaredNorm();
}

// e(c) = y (2 - y), e' = 2 (1 - y) / eps, e'' = -2 / eps^2 with y = c / eps: C1 at c = eps, zero for parallel edges.
MollifierDerivatives mollifier(double c, double eps) {
  if (c >= eps) return {1, 0, 0};
  const double y = c / eps;
  return {(2 - y) * y, 2 * (1 - y) / eps, -2 / (eps * eps)};
}

// dc/du = 2 v x n and dc/dv = 2 n x u; the end points of an edge get plus and minus these.
Vec12 edges_cross2_gradient(const StencilPoints& x) {
  const Vec3 u = x.col(1) - x.col(0), v = x.col(3) - x.col(2), n = u.cross(v);
  Vec12 g;
  g.segment<3>(3) = 2 * v.cross(n);
  g.segment<3>(9) = 2 * n.cross(u);
  g.segment<3>(0) = -g.segment<3>(3);
  g.segment<3>(6) = -g.segment<3>(9);
  return g;
}

// Blocks by u and v (mollifier.h), spread to the end points x_1 - x_0 = u, x_3 - x_2 = v with the signs of the
// difference.
Mat12 edges_cross2_hessian(const StencilPoints& x) {
  const Vec3 u = x.col(1) - x.col(0), v = x.col(3) - x.col(2);
  const Mat3 I = Mat3::Identity();
  const Mat3 uu = 2 * (v.squaredNorm() * I - v * v.transpose());
  const Mat3 vv = 2 * (u.squaredNorm() * I - u * u.transpose());
  const Mat3 uv = 2 * (2 * u * v.transpose() - v * u.transpose() - u.dot(v) * I);
  Mat12 H;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const double sign = i == j ? 1 : -1;
      H.block<3, 3>(3 * i, 3 * j) = sign * uu;
      H.block<3, 3>(6 + 3 * i, 6 + 3 * j) = sign * vv;
      H.block<3, 3>(3 * i, 6 + 3 * j) = sign * uv;
      H.block<3, 3>(6 + 3 * j, 3 * i) = sign * uv.transpose();
    }
  }
  return H;
}

}  // namespace sinew
