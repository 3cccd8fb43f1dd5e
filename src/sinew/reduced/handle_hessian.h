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

  // The block of axes a >= b. If a == b, only its lower triangle counts.
  Eigen::Block<MatX> block(int a, int b) { return H_.block(a * free_, b * free_, free_, free_); }
  MatX& matrix() { return H_; }

 protected:
  void begin_blocks(const MatX& y) override;
  void diagonal_of_blocks(MatX& D) override;
  void multiply_blocks(const MatX& d, MatX& Hd) override;
  bool factor_blocks() override;
  void solve_blocks(const MatX& g, MatX& d) override;
  void pull_back(const MatX& G, MatX& u) const override;

 private:
  Index free_;
  MatX H_;
  // Work space.
  VecX solution_, floor_;
  HugeArray strips_;  // work space of the factorisation
};

}  // namespace sinew
