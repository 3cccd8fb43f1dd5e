// The Hessian by the columns of y of each axis, dense: lower triangle, axis slowest.
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

  // The derivative by the axes a >= b, of which only the lower triangle counts if a == b.
  Eigen::Block<MatX> block(int a, int b) { return H_.block(a * free_, b * free_, free_, free_); }
  MatX& matrix() { return H_; }

 private:
  Index free_;
  MatX H_;
  // Work space.
  VecX solution_, floor_;
  HugeArray strips_;  // of the factorisation
};

}  // namespace sinew
