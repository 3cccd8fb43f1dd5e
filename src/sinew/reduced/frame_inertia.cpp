#include "sinew/reduced/frame_inertia.h"

namespace sinew {

// The blocks of M that do not turn: mode i and mode j share tr of a 3 x 3 block, for any R.
FrameInertia::FrameInertia(const Substructure& sub, Index part, const FrameCoordinates& coordinates, const MatX& M)
    : frames_(coordinates), sub_(sub), part_(part), M_(M) {
  const Index r = sub.mode_count();
  of_modes_ = M.topLeftCorner(r, r);
  if (!sub.floats) return;
  for (Index j = 0; j < r; ++j)
    for (Index i = 0; i < r; ++i) of_modes_(i, j) = M.block<3, 3>(4 + 3 * i, 4 + 3 * j).trace();
  arms_.resize(3, M.cols());
  arm_product_.resize(3, M.cols());
}

// J^T M J of a frame from the mass matrix M of phi = [1; X - c; U_1; ...] (theory, section 9), with the columns c_k
// of [0 | R | R q_j], Q = C M and S = Q C^T:
//
//   shift and shift  M_00 I,
//   shift and turn   [Q_0]x,
//   turn and turn    tr(S) I - S,
//   mode and shift   sum_a M_0,ja R e_a,
//   mode and turn    sum_a Q_ja x R e_a.
//
// No sum over vertices: O(r^2) flops.
void FrameInertia::add_hessian(const Placement& at, double factor, MatX& block) {
  const Index r = sub_.mode_count();
  block.bottomRightCorner(r, r) += factor * of_modes_;
  if (!sub_.floats) return;
  const Mat3& R = at.turn[part_];
  const auto q = frames_.modes(part_, at.z);
  arms_.col(0).setZero();
  arms_.middleCols<3>(1) = R;
  for (Index j = 0; j < r; ++j) arms_.middleCols<3>(4 + 3 * j) = q[j] * R;
  arm_product_.noalias() = arms_ * M_;
  const Mat3 S = arm_product_ * arms_.transpose();
  block.topLeftCorner<3, 3>() += factor * M_(0, 0) * Mat3::Identity();
  const Vec3 c = factor * arm_product_.col(0);
  Mat3 cross;  // [c]x: a shift s and a turn w share s . (w x c) = w . (c x s)
  cross << 0, -c[2], c[1], c[2], 0, -c[0], -c[1], c[0], 0;
  block.block<3, 3>(3, 0) += cross;
  block.block<3, 3>(3, 3) += factor * (S.trace() * Mat3::Identity() - S);
  for (Index j = 0; j < r; ++j) {
    Vec3 shift = Vec3::Zero(), turn = Vec3::Zero();
    for (int a = 0; a < 3; ++a) {
      shift += M_(0, 4 + 3 * j + a) * R.col(a);
      turn += arm_product_.col(4 + 3 * j + a).cross(R.col(a));
    }
    block.row(6 + j).head<3>() += factor * shift.transpose();
    block.row(6 + j).segment<3>(3) += factor * turn.transpose();
  }
}

}  // namespace sinew
