// The edge-edge mollifier (Li et al. 2020, eq. 24): fades the edge-edge barrier out as the edges become parallel, where
// their distance is not differentiable.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

using StencilPoints = Eigen::Matrix<double, 3, 4>;  // [m], a column for each vertex of a stencil

// eps = 1e-3 |E_a|^2 |E_b|^2 [m^4] from squared rest lengths [m^2].
inline double mollifier_threshold(double rest_length2_a, double rest_length2_b) {
  return 1e-3 * rest_length2_a * rest_length2_b;
}

// c = |(x1 - x0) x (x3 - x2)|^2 [m^4].
double edges_cross2(const StencilPoints& x);

// The mollifier e(c) = -(c/eps)^2 + 2 c/eps for c < eps, else 1, with its derivatives by c.
struct MollifierDerivatives {
  double value, first, second;
};
MollifierDerivatives mollifier(double c, double eps);

// Gradient and Hessian of c by the 12 coordinates of the stencil. With u = x1 - x0, v = x3 - x2, n = u x v:
//
//   dc/du = 2 v x n,  dc/dv = 2 n x u,
//   d2c/du2 = 2 (|v|^2 I - v v^T),  d2c/dudv = 2 (2 u v^T - v u^T - (u . v) I).
Vec12 edges_cross2_gradient(const StencilPoints& x);
Mat12 edges_cross2_hessian(const StencilPoints& x);

}  // namespace sinew
