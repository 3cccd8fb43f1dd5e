// Points that move with rows of a basis (axis_rows.h).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/kinematics/point_set.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/model/system.h"
#include "sinew/reduced/axis_rows.h"

namespace sinew {

// A point that moves axis by axis: along axis a it is at rest_a + w_a . y_a.
struct AxisPoint {
  std::vector<VecX> w;       // by set of axes
  Vec3 rest = Vec3::Zero();  // rest position [m]
};

std::vector<AxisPoint> make_axis_points(const System& system, const AxisRows& axes, const std::vector<PointRow>& rows);

// For merge_springs() (point_springs.h): w by set of axes, then the rest position.
VecX numbers_of(const AxisPoint& point);
void set_numbers(const VecX& numbers, AxisPoint& point);
inline int key_of(const AxisPoint&) {
  return 0;
}
inline bool is_linear(const AxisPoint&) {
  return true;
}

class AxisPoints final : public PointSet {
 public:
  AxisPoints(const AxisRows& axes, const std::vector<AxisPoint>& points);

  Index count() const override { return static_cast<Index>(rest_.cols()); }
  void positions(const MatX& y, Points& out) override;
  void reference(const MatX& y, Points& out) override { positions(y, out); }
  void displacement(const MatX& from, const MatX& to, Points& out) override;
  void add_gradient(const MatX& y, const Points& f, MatX& g) override;
  // H must be a HandleHessian.
  void add_hessian(const SymBlockMatrix& Hp, std::span<const Index> touched, CoordinateHessian& H) override;

 private:
  auto row(int axis, Index point) const { return W_[set_of_[axis]].col(point); }
  void displacements(const MatX& d, Points& out) const;

  std::vector<MatX> W_;        // weights, rows of y x points, by set of axes
  std::array<int, 3> set_of_;  // by axis: its set, index into W_
  Index free_ = 0;
  Points rest_;
  // Work space.
  MatX difference_;
  std::vector<Index> number_;  // by point: its index among the touched points, or -1
  // Rows of W_ at the touched points, and H_p times these rows; only the first columns are used.
  MatX touched_rows_, product_;
};

}  // namespace sinew
