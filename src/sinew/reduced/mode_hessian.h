// The Hessian by the unknowns of substructures, with dense blocks. Substructures that touch or are joined have an
// off-diagonal block.
#pragma once

#include <vector>

#include "sinew/kinematics/coordinate_hessian.h"
#include "sinew/linalg/block_cholesky.h"
#include "sinew/reduced/frame_coordinates.h"

namespace sinew {

class ModeHessian final : public CoordinateHessian {
 public:
  // The coordinates must outlive this.
  explicit ModeHessian(const FrameCoordinates& coordinates);

  void forget_pairs() override { blocks_.keep_diagonal(); }
  void scales(MatX& diagonal) const override { diagonal.col(0) = scales_; }

  const Placement& at() const { return at_; }  // placement of y
  BlockCholesky& blocks() { return blocks_; }
  // The diagonal blocks with both triangles, for unsymmetric terms. After this call they replace the symmetric blocks.
  std::vector<MatX>& jacobian();

 protected:
  void begin_blocks(const MatX& y) override;
  void diagonal_of_blocks(MatX& D) override;
  void multiply_blocks(const MatX& d, MatX& Hd) override;
  bool factor_blocks() override;
  void solve_blocks(const MatX& g, MatX& d) override;
  void pull_back(const MatX& G, MatX& u) const override;

 private:
  void confine();

  const FrameCoordinates& frames_;
  Placement at_;
  BlockCholesky blocks_;
  std::vector<MatX> jacobian_;
  bool is_symmetric_ = true, is_confined_ = false;
  VecX scales_;
};

}  // namespace sinew
