#include "sinew/reduced/frame_coordinates.h"

#include <cmath>

namespace sinew {

// exp([w]x): the rotation about w by the angle |w|.
Mat3 rotation(const Vec3& w) {
  const double angle = w.norm();
  if (angle == 0) return Mat3::Identity();
  return Eigen::AngleAxisd(angle, w / angle).toRotationMatrix();
}

// Newton's iteration for the polar factor, R <- R (3 I - R^T R) / 2, squares the error of R^T R = I. Products of
// rotations would drift from it by rounding.
Mat3 rounded_off(const Mat3& R) {
  return 0.5 * R * (3 * Mat3::Identity() - R.transpose() * R);
}

// y holds, part by part, C (3 x (4 + 3 r), column-major) where a part floats and q where it is constrained, then q_D.
// Unknowns are shift, turn and q where a part floats, and q where it is constrained.
FrameCoordinates::FrameCoordinates(const std::vector<Substructure>& parts) : parts_(parts) {
  y_begin_.push_back(0);
  z_begin_.push_back(0);
  begin_.push_back(0);
  for (const Substructure& part : parts) {
    const Index r = part.mode_count();
    y_begin_.push_back(y_begin_.back() + (part.floats ? 12 + 9 * r : r));
    z_begin_.push_back(z_begin_.back() + r);
    begin_.push_back(begin_.back() + part.freedom());
    sizes_.push_back(part.freedom());
    prescribed_ = std::max(prescribed_, static_cast<Index>(3 * part.prescribed.cols()));
    floats_ |= part.floats;
    allowed_.push_back(part.is_pivoted() ? MatX(part.allowed * part.allowed.transpose()) : MatX());
  }
  moved_.turn.resize(parts.size());
  moved_.shift.resize(parts.size());
  moved_.z.resize(z_begin_.back() + prescribed_);
}

FrameCoordinates::ConstAmbient FrameCoordinates::ambient(Index part, const MatX& y) const {
  return {y.data() + y_begin_[part], 3, 4 + 3 * parts_[part].mode_count()};
}

FrameCoordinates::Ambient FrameCoordinates::ambient(Index part, MatX& y) const {
  return {y.data() + y_begin_[part], 3, 4 + 3 * parts_[part].mode_count()};
}

// R and t from C: R = I + C_R, t = c + C_0. Both are exact, since y is always made by store().
void FrameCoordinates::place(const MatX& y, Placement& at) const {
  const auto count = parts_.size();
  at.turn.resize(count);
  at.shift.resize(count);
  for (std::size_t p = 0; p < count; ++p) {
    at.turn[p].setIdentity();
    at.shift[p].setZero();
    if (!parts_[p].floats) continue;
    const auto C = ambient(static_cast<Index>(p), y);
    at.shift[p] = parts_[p].center + C.col(0);
    at.turn[p] += C.middleCols<3>(1);
  }
  modes_at(y, at, at.z);
}

// q_j = R : (R q_j) / 3, since R : R = 3.
void FrameCoordinates::modes_at(const MatX& y, const Placement& at, VecX& z) const {
  z.resize(z_begin_.back() + prescribed_);
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    auto q = modes(p, z);
    if (!parts_[p].floats) {
      q = q_of(p, y);
      continue;
    }
    const auto C = ambient(p, y);
    for (Index j = 0; j < q.size(); ++j) q[j] = at.turn[p].cwiseProduct(C.middleCols<3>(4 + 3 * j)).sum() / 3;
  }
  z.tail(prescribed_) = y.col(0).tail(prescribed_);
}

// The same of a y that is no position, such as a predictor, whose R : R is not 3.
void FrameCoordinates::modes_of(Index part, const MatX& y, VecX& q) const {
  if (!parts_[part].floats) {
    q = q_of(part, y);
    return;
  }
  const auto C = ambient(part, y);
  const Mat3 R = Mat3::Identity() + C.middleCols<3>(1);
  q.resize(parts_[part].mode_count());
  for (Index j = 0; j < q.size(); ++j) q[j] = R.cwiseProduct(C.middleCols<3>(4 + 3 * j)).sum() / R.squaredNorm();
}

// C = [t - c | R - I | R q_1 | ... | R q_r].
void FrameCoordinates::store(const Placement& at, MatX& y) const {
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    const auto q = modes(p, at.z);
    if (!parts_[p].floats) {
      q_of(p, y) = q;
      continue;
    }
    auto C = ambient(p, y);
    C.col(0) = at.shift[p] - parts_[p].center;
    C.middleCols<3>(1) = at.turn[p] - Mat3::Identity();
    for (Index j = 0; j < q.size(); ++j) C.middleCols<3>(4 + 3 * j) = q[j] * at.turn[p];
  }
  y.col(0).tail(prescribed_) = at.z.tail(prescribed_);
}

// t + s, exp([w]x) R, q + dq along t times the unknowns d = (s, w, dq).
void FrameCoordinates::move(const Placement& at, const MatX& d, double t, MatX& y) const {
  moved_.z = at.z;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    auto own = d.col(0).segment(begin_[p], sizes_[p]);
    moved_.turn[p] = at.turn[p];
    moved_.shift[p] = at.shift[p];
    if (parts_[p].floats) {
      moved_.shift[p] += t * own.head<3>();
      moved_.turn[p] = rounded_off(rotation(t * own.segment<3>(3)) * at.turn[p]);
    }
    modes(static_cast<Index>(p), moved_.z) += t * own.tail(parts_[p].mode_count());
  }
  store(moved_, y);
}

// dC = [s | [w]x R | [w]x R q_j + R dq_j]: the rate of C at the unknowns' rates (s, w, dq).
void FrameCoordinates::tangent(const Placement& at, const MatX& d, MatX& y) const {
  y.setZero();
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    const auto own = d.col(0).segment(begin_[p], sizes_[p]);
    if (!parts_[p].floats) {
      q_of(p, y) = own;
      continue;
    }
    const Vec3 w = own.segment<3>(3);
    Mat3 turning;  // [w]x R
    for (int k = 0; k < 3; ++k) turning.col(k) = w.cross(at.turn[p].col(k));
    auto C = ambient(p, y);
    C.col(0) = own.head<3>();
    C.middleCols<3>(1) = turning;
    const auto q = modes(p, at.z);
    for (Index j = 0; j < q.size(); ++j) C.middleCols<3>(4 + 3 * j) = q[j] * turning + own[6 + j] * at.turn[p];
  }
}

// d2C along constant rates: [0 | [w]x [w]x R | [w]x [w]x R q_j + 2 [w]x R dq_j]. Centrifugal and Coriolis
// accelerations are these terms.
void FrameCoordinates::curvature(const Placement& at, const MatX& d, MatX& a) const {
  a.setZero();
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    if (!parts_[p].floats) continue;
    const auto own = d.col(0).segment(begin_[p], sizes_[p]);
    const Vec3 w = own.segment<3>(3);
    Mat3 once, twice;
    for (int k = 0; k < 3; ++k) {
      once.col(k) = w.cross(at.turn[p].col(k));
      twice.col(k) = w.cross(once.col(k));
    }
    auto C = ambient(p, a);
    C.middleCols<3>(1) = twice;
    const auto q = modes(p, at.z);
    for (Index j = 0; j < q.size(); ++j) C.middleCols<3>(4 + 3 * j) = q[j] * twice + 2 * own[6 + j] * once;
  }
}

// J^T G with J = dC/d(s, w, q):
//
//   shift: G_0,   turn: sum_k c_k x G_k over the columns c_k of [R | R q_j],   modes: R : G_j.
void FrameCoordinates::pull_back(const Placement& at, const MatX& G, MatX& g) const {
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    auto own = g.col(0).segment(begin_[p], sizes_[p]);
    if (!parts_[p].floats) {
      own = q_of(p, G);
      continue;
    }
    const auto C = ambient(p, G);
    const Mat3& R = at.turn[p];
    const auto q = modes(p, at.z);
    own.head<3>() = C.col(0);
    Mat3 sum = C.middleCols<3>(1);  // of what multiplies the columns of R
    for (Index j = 0; j < q.size(); ++j) {
      const auto Gj = C.middleCols<3>(4 + 3 * j);
      own[6 + j] = R.cwiseProduct(Gj).sum();
      sum += q[j] * Gj;
    }
    Vec3 torque = Vec3::Zero();
    for (int k = 0; k < 3; ++k) torque += R.col(k).cross(sum.col(k));
    own.segment<3>(3) = torque;
  }
  confine(g);
}

// Pivots: a part that turns about a line or a point has P (s, w), P the projection on the motions that its pins
// allow.
void FrameCoordinates::confine(MatX& g) const {
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if (allowed_[p].size() > 0) {
      auto frame = g.col(0).segment<6>(begin_[p]);
      frame = (allowed_[p] * frame).eval();
    }
}

void FrameCoordinates::confine(BlockCholesky& H) const {
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if (allowed_[p].size() > 0) H.confine(static_cast<Index>(p), allowed_[p]);
}

Vec3 FrameCoordinates::prescribed_shift(Index part, const MatX& y) const {
  if (allowed_[part].size() == 0) return Vec3::Zero();
  const Vec3 shift = ambient(part, y).col(0);
  return shift - allowed_[part].topLeftCorner<3, 3>() * shift;
}

// J at a point with arm a = R (X - c + U q) [m]: [w I | -[a]x | R U], w the sum of the weights of its vertices.
void frame_row(const Mat3& turn, double weight, const Vec3& arm, const Eigen::Ref<const MatX>& modes,
               Eigen::Ref<Eigen::Matrix3Xd> J) {
  J.leftCols<3>() = weight * Mat3::Identity();
  J.col(3) << 0, -arm[2], arm[1];
  J.col(4) << arm[2], 0, -arm[0];
  J.col(5) << -arm[1], arm[0], 0;
  for (Index j = 0; j < modes.cols(); ++j) J.col(6 + j) = turn * modes.block<3, 1>(0, j);
}

}  // namespace sinew
