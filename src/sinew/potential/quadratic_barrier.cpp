#include "sinew/potential/quadratic_barrier.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include "sinew/core/cross_matrix.h"
#include "sinew/core/parallel.h"
#include "sinew/core/tet_topology.h"
#include "sinew/mesh/quadratic_tets.h"

namespace sinew {
namespace {

constexpr double share_at_rest = 0.05;  // delta
constexpr auto corners_of_coefficient = bernstein_corners();

// dx/dxi at corner i is sum_a x_a w_ia^T, w_ia the gradients of the shape functions there.
using ShapeGradients = std::array<std::array<Vec3, 10>, 4>;

const ShapeGradients& shape_gradients() {
  static const ShapeGradients gradients = [] {
    ShapeGradients result;
    Index nodes[10];
    for (int a = 0; a < 10; ++a) nodes[a] = a;
    for (int a = 0; a < 10; ++a) {
      Points x = Points::Zero(3, 10);
      x(0, a) = 1;
      const CornerJacobians J = corner_jacobians(x, nodes);
      for (int i = 0; i < 4; ++i) result[i][a] = J[i].row(0).transpose();
    }
    return result;
  }();
  return gradients;
}

// 6 D(P, Q, R) is the inner product of P and X(Q, R).
Mat3 cross_of(const Mat3& Q, const Mat3& R) {
  Mat3 X;
  for (int c = 0; c < 3; ++c)
    X.col(c) = Q.col((c + 1) % 3).cross(R.col((c + 2) % 3)) + R.col((c + 1) % 3).cross(Q.col((c + 2) % 3));
  return X;
}

// b and its derivatives by c, for c below the limit.
struct Barrier {
  double value = 0, first = 0, second = 0;
};

Barrier log_barrier(double c, double limit) {
  const double s = c / limit, l = std::log(s);
  return {-(s - 1) * (s - 1) * l, (-2 * (s - 1) * l - (s - 1) * (s - 1) / s) / limit,
          (-2 * l - 4 * (s - 1) / s + (s - 1) * (s - 1) / (s * s)) / (limit * limit)};
}

}  // namespace

// At rest no coefficient is near its limit: those of curved tets have limits of half their value or less.
QuadraticTetBarrier::QuadraticTetBarrier(const Points& rest, const QuadraticTets& tets, std::vector<double> stiffness,
                                         Index dynamic_count)
    : dynamic_count_(dynamic_count), tets_(tets), stiffness_(std::move(stiffness)) {
  limit_.resize(tets.cols());
  for (Index t = 0; t < tets.cols(); ++t) {
    volume_.push_back(quadratic_tet_volume(rest, tets, t));
    const CornerJacobians J = corner_jacobians(rest, tets.col(t).data());
    for (int c = 0; c < 20; ++c) {
      const auto [i, j, k] = corners_of_coefficient[c];
      const double own = mixed_discriminant(J[i], J[j], J[k]);
      limit_[t][c] = std::max(0.0, std::min(share_at_rest * 6 * volume_[t], 0.5 * own));
    }
  }
}

bool QuadraticTetBarrier::is_far(const CornerJacobians& J, Index tet) const {
  return coefficient_bound(J) > share_at_rest * 6 * volume_[tet];
}

double QuadraticTetBarrier::tet_value(const Points& x, Index tet) const {
  if (stiffness_[tet] == 0) return 0;
  const CornerJacobians J = corner_jacobians(x, tets_.col(tet).data());
  if (is_far(J, tet)) return 0;
  double sum = 0;
  for (int c = 0; c < 20; ++c) {
    const double limit = limit_[tet][c];
    if (limit == 0) continue;
    const auto [i, j, k] = corners_of_coefficient[c];
    const double value = mixed_discriminant(J[i], J[j], J[k]);
    if (!(value > 0)) return std::numeric_limits<double>::infinity();
    if (value < limit) sum += log_barrier(value, limit).value;
  }
  return stiffness_[tet] * volume_[tet] / 20 * sum;
}

double QuadraticTetBarrier::value(const Points& x) const {
  return parallel_sum(tets_.cols(), [&](std::size_t t) { return tet_value(x, static_cast<Index>(t)); });
}

void QuadraticTetBarrier::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  for (Index t = 0; t < tets_.cols(); ++t) {
    const double energy = scale * tet_value(x, t);
    if (energy == 0) continue;
    for (const Index v : tets_.col(t))
      if (v < dynamic_count_) values[v] += energy;
  }
}

// g = sum_c b'(c) dc/dx and H = sum_c b'' dc/dx dc/dx^T + b' d2c/dx2, with
//
//   d D(P, Q, R) = (X(Q, R) : dP + X(P, R) : dQ + X(P, Q) : dR) / 6.
//
// Returns the sum of b; 0: the tet is far from its limits.
double QuadraticTetBarrier::derivatives(const CornerJacobians& J, Index tet, Vector& g, Matrix* H) const {
  const ShapeGradients& w = shape_gradients();
  double sum = 0;
  g.setZero();
  if (H) H->setZero();
  for (int c = 0; c < 20; ++c) {
    const double limit = limit_[tet][c];
    const auto& of = corners_of_coefficient[c];
    const double value = mixed_discriminant(J[of[0]], J[of[1]], J[of[2]]);
    if (limit == 0 || !(value < limit)) continue;
    const Barrier b = log_barrier(value, limit);
    sum += b.value;
    Vector slope = Vector::Zero();
    for (int s = 0; s < 3; ++s) {
      const Mat3 X = cross_of(J[of[(s + 1) % 3]], J[of[(s + 2) % 3]]) / 6;
      for (int a = 0; a < 10; ++a) slope.segment<3>(3 * a) += X * w[of[s]][a];
    }
    g += b.first * slope;
    if (!H) continue;
    *H += b.second * slope * slope.transpose();
    // dP . (dQ x R) by columns: d2/(dP_c dQ_d) is a cross product with a column of R.
    for (int s = 0; s < 3; ++s) {
      const int p = of[(s + 1) % 3], q = of[(s + 2) % 3];
      const Mat3& R = J[of[s]];
      for (int a = 0; a < 10; ++a)
        for (int e = 0; e < 10; ++e) {
          Vec3 r = Vec3::Zero();
          for (int k = 0; k < 3; ++k) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            r += (w[p][a][k] * w[q][e][m] - w[p][a][m] * w[q][e][k]) * R.col(l);
          }
          const Mat3 block = b.first / 6 * cross_matrix(r);
          H->block<3, 3>(3 * a, 3 * e) += block;
          H->block<3, 3>(3 * e, 3 * a) += block.transpose();
        }
    }
  }
  return sum;
}

// use(tet, g, H) for the tets near their limits, in order.
template <class Use>
void QuadraticTetBarrier::for_each_active(const Points& x, bool hessian, Use&& use) const {
  near_.resize(tets_.cols());
  parallel_for(
      tets_.cols(),
      [&](std::size_t t) {
        const auto tet = static_cast<Index>(t);
        near_[t] = stiffness_[t] != 0 && !is_far(corner_jacobians(x, tets_.col(tet).data()), tet);
      },
      256);
  Vector g;
  Matrix H;
  for (Index t = 0; t < tets_.cols(); ++t) {
    if (!near_[t]) continue;
    const CornerJacobians J = corner_jacobians(x, tets_.col(t).data());
    if (derivatives(J, t, g, hessian ? &H : nullptr) == 0) continue;
    use(t, g, H);
  }
}

void QuadraticTetBarrier::add_gradient(const Points& x, std::span<const double> factors, double scale,
                                       Points& g) const {
  for_each_active(x, false, [&](Index t, const Vector& own, const Matrix&) {
    const double factor = scale * stiffness_[t] * volume_[t] / 20 * (factors.empty() ? 1 : factors[t]);
    for (int a = 0; a < 10; ++a)
      if (const Index v = tets_(a, t); v < dynamic_count_) g.col(v) += factor * own.segment<3>(3 * a);
  });
}

void QuadraticTetBarrier::add_derivatives(const Points& x, std::span<const double> factors, double scale,
                                          Projection projection, Points& g, SymBlockMatrix& H) const {
  for_each_active(x, true, [&](Index t, const Vector& own, Matrix& hessian) {
    const double factor = scale * stiffness_[t] * volume_[t] / 20 * (factors.empty() ? 1 : factors[t]);
    if (projection == Projection::psd) {
      const Eigen::SelfAdjointEigenSolver<Matrix> eigen(hessian);
      hessian =
          eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
    }
    for (int a = 0; a < 10; ++a) {
      const Index row = tets_(a, t);
      if (row < dynamic_count_) g.col(row) += factor * own.segment<3>(3 * a);
      for (int b = 0; b < 10; ++b) {
        const Index column = tets_(b, t);
        if (row > column || column >= dynamic_count_) continue;
        Eigen::Map<Mat3>(H.block(H.pattern().find(row, column))) += factor * hessian.block<3, 3>(3 * a, 3 * b);
      }
    }
  });
}

}  // namespace sinew
