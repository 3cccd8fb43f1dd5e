// First and second derivatives of squared distances, for all kinds of stencils at once.
//
// Every distance is a small least-squares problem over the parameters z of the closest points: none for point-point,
// one for point-edge, two for point-triangle and edge-edge.
//
//   d2(x) = min over z of |r|^2,  r(x, z) = sum_i c_i(z) x_i,  with c_i linear in each parameter.
//
// With J = dr/dz (3 x k), D = J (J^T J)^-1, A = D^T D, P = I - J D^T, C = dc/dz (4 x k) and J^T r = 0,
//
//   grad d2 = 2 c (x) r,
//   hess d2 = 2 [ c c^T (x) P - U W^T - W U^T - W A W^T ],  U_a = c (x) D_a,  W_a = C_a (x) r
//
// (Schur complement of the least-squares problem in z). D and P come from cross products, so nothing cancels.
#pragma once

#include "sinew/contact/mollifier.h"
#include "sinew/contact/stencil.h"
#include "sinew/core/types.h"

namespace sinew {

// The closest points of a stencil's primitives.
struct ClosestPair {
  Eigen::Vector4d c = Eigen::Vector4d::Zero();  // r = sum_i c_i x_i, sum_i c_i = 0
  Vec3 r = Vec3::Zero();                        // [m], from the second primitive's closest point to the first's
  double distance2 = 0;                         // |r|^2
  int parameters = 0;                           // k
  Eigen::Matrix<double, 4, 2> C = Eigen::Matrix<double, 4, 2>::Zero();  // dc/dz, first k columns
  Eigen::Matrix<double, 3, 2> J = Eigen::Matrix<double, 3, 2>::Zero();  // dr/dz [m], first k columns
};

// The closest points of the features that `kind` names (point-line, point-plane, line-line), or of the closest features
// at x for edge_edge_mollified. `kind` must not be point_plane. Columns of x beyond the kind's vertices are ignored.
ClosestPair closest_pair(StencilKind kind, const StencilPoints& x);

// The squared distance [m^2] between the features of closest_pair(), without the closest points.
double pair_distance2(StencilKind kind, const StencilPoints& x);

// Matrices that second derivatives need besides the closest points, in the notation above.
struct PairFrame {
  Eigen::Matrix<double, 3, 2> D = Eigen::Matrix<double, 3, 2>::Zero();  // dual vectors of J [1/m], first k columns
  Mat3 P = Mat3::Identity();                                            // projector onto the directions normal to J
  Vec3 normal = Vec3::Zero();                                           // unit, along r; zero where k < 2 and r = 0
};
PairFrame pair_frame(const ClosestPair& pair);

// Derivatives of distance2 by the positions of the stencil's vertices: rows 3 i .. 3 i + 2 belong to vertex i, and are
// zero beyond its vertices.
Vec12 distance2_gradient(const ClosestPair& pair);
Mat12 distance2_hessian(const ClosestPair& pair, const PairFrame& frame);

}  // namespace sinew
