#include "sinew/quasi_newton/vertex_rotations.h"

#include <Eigen/SVD>

#include "sinew/core/parallel.h"
#include "sinew/mesh/quality.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

// The rotation nearest to A in the Frobenius norm: U diag(1, 1, det U V^T) V^T of A = U S V^T (Kabsch 1976).
Mat3 nearest_rotation(const Mat3& A) {
  if (A.isZero(0) || !A.allFinite()) return Mat3::Identity();
  const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 U = svd.matrixU();
  if (U.determinant() * svd.matrixV().determinant() < 0) U.col(2) *= -1;
  return U * svd.matrixV().transpose();
}

}  // namespace

// V F = V sum_a x_a g_a^T of each tet, with the gradients g_a of its hat functions; their sums over the tets of each
// vertex, in the order of the tets; the nearest rotations.
void VertexRotations::set(const System& system, const Points& x, std::span<const char> prescribed) {
  const Index n = system.dynamic_count, m = system.elastic_tet_count();
  std::vector<Mat3> gradient(static_cast<std::size_t>(m));
  parallel_for(
      m,
      [&](std::size_t e) {
        const auto t = static_cast<Index>(e);
        const Eigen::Matrix<double, 3, 4> g = hat_gradients(system.rest, system.tets, t);
        Mat3 F = Mat3::Zero();
        for (int a = 0; a < 4; ++a) F += x.col(system.tets(a, t)) * g.col(a).transpose();
        gradient[e] = tet_volume(system.rest, system.tets, t) * F;
      },
      256);
  rotation_.assign(static_cast<std::size_t>(n), Mat3::Zero());
  for (Index t = 0; t < m; ++t)
    for (int a = 0; a < 4; ++a) rotation_[system.tets(a, t)] += gradient[t];
  parallel_for(
      n,
      [&](std::size_t v) {
        const char* held = prescribed.data() + 3 * v;
        Mat3& R = rotation_[v];
        R = held[0] || held[1] || held[2] ? Mat3(Mat3::Identity()) : nearest_rotation(R);
      },
      256);
}

void VertexRotations::apply(const Points& from, Points& to) const {
  to.resize(3, from.cols());
  parallel_for(
      from.cols(), [&](std::size_t v) { to.col(v) = (rotation_[v] * from.col(v)).eval(); }, 4096);
}

void VertexRotations::apply_transposed(const Points& from, Points& to) const {
  to.resize(3, from.cols());
  parallel_for(
      from.cols(), [&](std::size_t v) { to.col(v) = (rotation_[v].transpose() * from.col(v)).eval(); }, 4096);
}

}  // namespace sinew
