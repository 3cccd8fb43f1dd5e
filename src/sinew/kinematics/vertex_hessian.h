// The Hessian by all vertices: sparse, factored by SparseCholesky.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "sinew/kinematics/coordinate_hessian.h"
#include "sinew/linalg/cholesky.h"

namespace sinew {

class VertexHessian final : public CoordinateHessian {
 public:
  // pattern: blocks that are always there. fixed: 3 n flags of prescribed coordinates. `fixed` must outlive this.
  VertexHessian(std::shared_ptr<const BlockPattern> pattern, const std::vector<char>& fixed);

  void forget_pairs() override { pattern_ = own_pattern_; }

  void add(const SymBlockMatrix& A);
  SymBlockMatrix& matrix() { return H_; }

 protected:
  void begin_blocks(const MatX& y) override;
  void diagonal_of_blocks(MatX& D) override;
  void multiply_blocks(const MatX& d, MatX& Hd) override;
  bool factor_blocks() override;
  void solve_blocks(const MatX& g, MatX& d) override;
  void pull_back(const MatX& G, MatX& u) const override;

 private:
  void constrain();
  bool is_fixed(Index v, int axis) const { return fixed_[3 * static_cast<std::size_t>(v) + axis] != 0; }

  const std::vector<char>& fixed_;
  std::shared_ptr<const BlockPattern> own_pattern_, pattern_;
  SymBlockMatrix H_;
  bool is_constrained_ = false;
  SparseCholesky cholesky_;
  // Work space.
  std::vector<std::pair<Index, Index>> pairs_;
  Points rhs_, solution_;
};

}  // namespace sinew
