#include "sinew/reduced/part_frame.h"

#include <cmath>

#include "sinew/core/cross_matrix.h"
#include "sinew/linalg/dense_decompositions.h"

namespace sinew {
namespace {

constexpr double allowed_motion = 1e-9;  // as in modes/rest_body.cpp
constexpr double same_place = 1e-7;      // over the size of the part

// Are turns about the axis through the centre allowed for any angle? Two angles without a common multiple are tried:
// they have to keep prescribed coordinates where they are, and free directions at each such vertex free.
bool keeps(const Points& rest, std::span<const char> fixed, const PartFrame& frame, const Vec3& axis, double size) {
  for (const double angle : {0.7, 2.1}) {
    const Mat3 R = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    for (Eigen::Index v = 0; v < rest.cols(); ++v) {
      const char* own = fixed.data() + 3 * v;
      if (!own[0] && !own[1] && !own[2]) continue;
      const Vec3 arm = rest.col(v) - frame.center, moved = R * arm - arm;
      for (int k = 0; k < 3; ++k) {
        if (!own[k]) continue;
        if (std::abs(moved[k]) > same_place * size) return false;
        for (int j = 0; j < 3; ++j)  // a free direction e_j, turned, has no part along the fixed e_k
          if (!own[j] && std::abs(R(k, j)) > same_place) return false;
      }
    }
  }
  return true;
}

}  // namespace

// The group of rigid motions that prescribed coordinates allow, if it is one:
//
// 1. A prescribed coordinate k at a vertex with arm r allows (v, w) with e_k . (v + w x r) = 0. The kernel of all
//    these rows is what is free to first order.
// 2. Shifts are the kernel with w = 0. The others turn about one axis or all three: two axes alone are no group.
// 3. The centre: a place p with v + w x p = 0 but for shifts, for all w of the kernel.
// 4. Finite turns about p must keep what is prescribed.
// 5. Turns must lead allowed shifts to allowed shifts.
std::optional<PartFrame> find_frame(const Points& rest, std::span<const char> fixed, const Vec3& middle, double size) {
  MatX rows(0, 6);
  for (Eigen::Index v = 0; v < rest.cols(); ++v)
    for (int k = 0; k < 3; ++k) {
      if (!fixed[static_cast<std::size_t>(3 * v + k)]) continue;
      const Vec3 arm = (rest.col(v) - middle) / size;
      rows.conservativeResize(rows.rows() + 1, Eigen::NoChange);
      rows.row(rows.rows() - 1) << Vec3::Unit(k).transpose(), arm.cross(Vec3::Unit(k)).transpose();
      if (rows.rows() == 64) rows = upper_triangle(rows);  // the same kernel in six rows
    }
  if (rows.rows() == 0) return {};
  if (rows.rows() < 6) {
    const auto before = rows.rows();
    rows.conservativeResize(6, Eigen::NoChange);
    rows.bottomRows(6 - before).setZero();
  }
  // Step 2.
  const MatX free = null_space(rows, allowed_motion);  // (v, w size)
  if (free.cols() == 0) return {};
  const MatX no_turn = null_space(free.bottomRows(3), same_place);
  const MatX shifts = free.topRows(3) * no_turn;  // orthonormal, as w = 0
  const Mat3 by_shifts = shifts.cols() > 0 ? Mat3(shifts * shifts.transpose()) : Mat3(Mat3::Zero());
  const Eigen::Index turns = free.cols() - no_turn.cols();
  PartFrame frame;
  MatX axes(3, turns);
  frame.center = middle;
  if (turns == 2) return {};
  if (turns > 0) {
    const SingularValues svd = singular_values(free.bottomRows(3));
    axes = svd.U.leftCols(turns);
    // Step 3.
    const Mat3 across = Mat3::Identity() - by_shifts;
    MatX A(3 * turns, 3);
    VecX b(3 * turns);
    for (Eigen::Index k = 0; k < turns; ++k) {
      const VecX motion = free * svd.V.col(k) / svd.values[k];
      A.middleRows(3 * k, 3) = across * cross_matrix(motion.tail<3>());
      b.segment<3>(3 * k) = -across * motion.head<3>();
    }
    const Vec3 p = least_squares(A, b, same_place);
    if ((A * p - b).norm() > same_place) return {};
    frame.center = middle + size * p;
  }
  frame.allowed.setZero(6, shifts.cols() + turns);
  frame.allowed.topLeftCorner(3, shifts.cols()) = shifts;
  frame.allowed.bottomRightCorner(3, turns) = axes;
  // Step 4.
  if (turns == 0) return frame;  // shifts leave directions as they are
  for (Eigen::Index k = 0; k < turns; ++k)
    if (!keeps(rest, fixed, frame, axes.col(k), size)) return {};
  if (turns == 3 && !keeps(rest, fixed, frame, Vec3(1, 2, 3).normalized(), size)) return {};
  // Step 5.
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(axes.col(0))).toRotationMatrix();
  if ((R * by_shifts * R.transpose() - by_shifts).norm() > same_place) return {};
  return frame;
}

}  // namespace sinew
