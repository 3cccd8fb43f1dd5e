// The Hessian by the free coordinates of handles: dense, lower triangle. Coordinates are ordered by axis, then by row
// of y.
#pragma once

#include "sinew/kinematics/coordinate_hessian.h"
#include "sinew/linalg/buffer_pool.h"
#include "sinew/reduced/axis_rows.h"

namespace sinew {

class HandleHessian final : public CoordinateHessian {
 public:
  explicit HandleHessian(const AxisRows& rows);

  void begin(const MatX& y) override;
  void diagonal(MatX& D) override;
  void multiply(const MatX& d, MatX& Hd) override;
  bool factor() override;
  void solve(const MatX& g, MatX& d) override;

  // The block of axes a >= b. If a == b, only its lower triangle counts.
  Eigen::Block<MatX> block(int a, int b) { return H_.block(a * free_, b * free_, free_, free_); }
  MatX& matrix() { return H_; }

 private:
  Index free_;
  MatX H_;
  // Work space.
  VecX solution_, floor_;
  HugeArray strips_;  // work space of the factorisation
};

}  // namespace sinew
