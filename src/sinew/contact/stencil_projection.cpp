#include "sinew/contact/stencil_projection.h"

#include <cmath>

#include <Eigen/Geometry>

#include "sinew/contact/stencil_eigen.h"

namespace sinew {
namespace {

// H = B S+ B^T for orthonormal columns of B, S+ the positive part of the symmetric S: the sum over its positive
// eigenvalues lambda, with eigenvectors v, of lambda (B v)(B v)^T. Overwrites S.
template <int N>
void positive_part(Eigen::Matrix<double, N, N>& S, const Eigen::Matrix<double, 12, N>& B, Mat12& H) {
  Eigen::Matrix<double, N, N> V;
  Eigen::Matrix<double, N, 1> values;
  contact_detail::symmetric_eigen<N>(S, values, V);
  H.setZero();
  for (int k = 0; k < N; ++k) {
    if (!(values[k] > 0)) continue;
    const Vec12 v = B.lazyProduct(V.col(k));
    H += (values[k] * v) * v.transpose();
  }
}

// c (x) n: the vector c_i n at each of the four vertices i.
Vec12 outer(const Eigen::Vector4d& c, const Vec3& n) {
  Vec12 result;
  for (int i = 0; i < 4; ++i) result.segment<3>(3 * i) = c[i] * n;
  return result;
}

// The positive part of the barrier Hessian of a pair with k parameters, in the 2 k + 1 dimensions where it can have
// positive eigenvalues (stencil_energy.h):
//   E (x) n          E (4 x (k + 1)) an orthonormal basis of span{c, C}, its first column c / |c|; n the unit normal
//   c / |c| (x) T    T (3 x k) an orthonormal basis of span J
// With d the gap, W = d E^T C, U = |c| T^T D and b1, b2 the barrier's derivatives by d2, the Hessian in this basis is
//   S = [ -2 b1 W D^T D W^T + (4 b2 d2 + 2 b1) |c|^2 e_0 e_0^T    -2 b1 W U^T ]
//       [ -2 b1 U W^T                                              0           ].
template <int k>
void project_pair(const ClosestPair& pair, const PairFrame& frame, double b1, double b2, Mat12& H) {
  constexpr int size = 2 * k + 1;
  Eigen::Matrix<double, 4, k + 1> E;
  const double norm_c = pair.c.norm();
  E.col(0) = pair.c / norm_c;
  for (int a = 0; a < k; ++a) {
    Eigen::Vector4d v = pair.C.col(a);
    for (int pass = 0; pass < 2; ++pass)  // twice is enough for orthogonality to rounding
      for (int b = 0; b <= a; ++b) v -= E.col(b).dot(v) * E.col(b);
    E.col(a + 1) = v.normalized();
  }
  Eigen::Matrix<double, 3, k> T;
  T.col(0) = pair.J.col(0).normalized();
  if constexpr (k == 2) T.col(1) = frame.normal.cross(T.col(0));

  const auto D = frame.D.leftCols<k>();
  const double d = std::sqrt(pair.distance2);
  const Eigen::Matrix<double, k + 1, k> W = d * (E.transpose() * pair.C.leftCols<k>());
  const Eigen::Matrix<double, k, k> U = norm_c * (T.transpose() * D);
  Eigen::Matrix<double, size, size> S = Eigen::Matrix<double, size, size>::Zero();
  S.template topLeftCorner<k + 1, k + 1>() = -2 * b1 * W * (D.transpose() * D) * W.transpose();
  S(0, 0) += (4 * b2 * pair.distance2 + 2 * b1) * norm_c * norm_c;
  S.template topRightCorner<k + 1, k>() = -2 * b1 * W * U.transpose();
  S.template bottomLeftCorner<k, k + 1>() = S.template topRightCorner<k + 1, k>().transpose();

  Eigen::Matrix<double, 12, size> B;
  for (int a = 0; a <= k; ++a) B.col(a) = outer(E.col(a), frame.normal);
  for (int a = 0; a < k; ++a) B.col(k + 1 + a) = outer(E.col(0), T.col(a));
  positive_part<size>(S, B, H);
}

}  // namespace

void projected_barrier_hessian(const ClosestPair& pair, const PairFrame& frame, double b1, double b2, Mat12& H) {
  if (pair.parameters == 2) return project_pair<2>(pair, frame, b1, b2, H);
  if (pair.parameters == 1) return project_pair<1>(pair, frame, b1, b2, H);
  // Two points: one dimension, c (x) n, with the second derivative of b by the gap.
  const Vec12 v = outer(pair.c, frame.normal);
  H = std::max(0.0, 4 * b2 * pair.distance2 + 2 * b1) * v * v.transpose();
}

// Projects a Hessian that does not see translations: clamps the eigenvalues of the 9x9 matrix B^T H B in place of those
// of the 12x12 one.
void project_translation_free(Mat12& H) {
  // The Haar vectors are an orthonormal basis of the vectors of R^4 with zero mean. Times the three axes they span the
  // complement of the translations, on which H acts.
  static const Eigen::Matrix<double, 12, 9> B = [] {
    Eigen::Matrix<double, 4, 3> haar;
    haar << std::sqrt(0.5), 0, 0.5, -std::sqrt(0.5), 0, 0.5, 0, std::sqrt(0.5), -0.5, 0, -std::sqrt(0.5), -0.5;
    Eigen::Matrix<double, 12, 9> basis = Eigen::Matrix<double, 12, 9>::Zero();
    for (int i = 0; i < 4; ++i)
      for (int a = 0; a < 3; ++a) basis.block<3, 3>(3 * i, 3 * a).diagonal().setConstant(haar(i, a));
    return basis;
  }();
  const Eigen::Matrix<double, 12, 9> HB = H.lazyProduct(B);
  Mat9 S = B.transpose().lazyProduct(HB);
  positive_part<9>(S, B, H);
}

}  // namespace sinew
